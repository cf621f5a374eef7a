"""Calls of the operating system that differ between Linux, macOS and Windows.

The only package beside `agents.sandbox` that may use names which exist on some systems only; tests/test_portability.py
checks this. docs/platforms.md says what each system lacks.
"""
