"""Access of clients to the server: connections, rates, token and log."""
