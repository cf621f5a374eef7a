"""Events of the arena on the page: watching them and starting matches."""
