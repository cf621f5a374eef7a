"""English words of the report; keys and placeholders are the same as in zh.py."""

WORDS = {
    "games.count": "{count} games",
    "ending.win": "four in a row",
    "ending.tie": "board full",
    "ending.resignation": "resignation",
    "ending.time": "clock",
    "ending.illegal move": "illegal move",
    "ending.timeout": "timeout",
    "ending.crash": "crash",
    "ending.broken protocol": "broken protocol",
    "ending.cannot load": "cannot load",
    "ending.interface missing": "interface missing",
    "ending.memory exceeded": "memory exceeded",
}
