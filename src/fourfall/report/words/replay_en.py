"""English words of the replayable board; keys begin with "replay." and are the same as in replay_zh.py."""

WORDS: dict[str, str] = {}
