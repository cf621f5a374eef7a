"""Messages between the page and the server: requests, replies and the data in them."""
