"""Chinese words of the replayable board; keys begin with "replay." and are the same as in replay_en.py."""

WORDS: dict[str, str] = {}
