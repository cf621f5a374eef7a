"""Owns our engines behind the interfaces of others."""
