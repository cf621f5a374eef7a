"""Server of the web page: play, analyse, review and watch games in a browser."""
