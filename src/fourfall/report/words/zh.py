"""Chinese words of the report; keys and placeholders are the same as in en.py."""

WORDS = {
    "games.count": "{count} 局",
    "ending.win": "连成四子",
    "ending.tie": "和棋",
    "ending.resignation": "认输",
    "ending.time": "时间用完",
    "ending.illegal move": "非法着法",
    "ending.timeout": "超时",
    "ending.crash": "程序崩溃",
    "ending.broken protocol": "通信协议错误",
    "ending.cannot load": "无法加载",
    "ending.interface missing": "缺少接口",
    "ending.memory exceeded": "内存超限",
}
