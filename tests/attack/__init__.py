"""The attack campaign: hostile agents of every kind try to leave the sandbox, at every level of protection.

Run with ``make attack``. The tests of this package run a small part of it.
"""
