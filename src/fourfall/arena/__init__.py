"""The arena: plays matches and tournaments between agents, stores the games and computes ratings."""
