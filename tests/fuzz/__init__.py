"""Coverage-guided fuzzing of everything that reads text or bytes of others (`make fuzz`)."""
