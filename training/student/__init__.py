"""Study of a cheap student of the evaluation network, in C++. `docs/learning.md` has the commands and the results."""
