"""Tests of the documentation: links, commands, pictures, reference, site and release checks."""
