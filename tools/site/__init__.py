"""Tools that write the page as static files: `make site`."""
