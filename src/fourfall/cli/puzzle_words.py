"""Texts of the command ``fourfall puzzles`` in English and Chinese."""

from dataclasses import dataclass

from fourfall.coach import Language


@dataclass(frozen=True)
class PuzzleWords:
    """Texts of one language; braces mark what is filled in."""

    goals: dict[str, str]
    greeting: str
    heading: str
    commands: str
    prompt: str
    next_prompt: str
    not_a_move: str
    full: str
    right: str
    line: str
    wrong: str
    refutation: str
    try_again: str
    no_more_hints: str
    skipped: str
    rating: str
    farewell: str
    nothing_tried: str


WORDS: dict[Language, PuzzleWords] = {
    "en": PuzzleWords(
        goals={"win": "Find the only move that wins.", "draw": "Find the only move that does not lose."},
        greeting="Your rating: {rating:.0f}, streak: {streak}. Type {commands}.",
        heading="Rating {rating}. {player} to move. {goal}",
        commands="a column to play, h hint, s show the solution, q quit",
        prompt="Your move: ",
        next_prompt="Enter for the next puzzle, q to quit: ",
        not_a_move="{word!r} is not a move; type {commands}.",
        full="Column {column} is full.",
        right="Right: column {column}.",
        line="Main line: {moves}",
        wrong="Wrong: column {column}.",
        refutation="It continues: {moves}",
        try_again="Try again; the rating does not change any more.",
        no_more_hints="There are no more hints.",
        skipped="The solution is column {column}.",
        rating="Your rating: {rating:.0f} ± {deviation:.0f} ({change:+.0f}), streak: {streak}",
        farewell="Right at once: {solved} of {tried}. Your rating: {rating:.0f}. Longest streak: {best}.",
        nothing_tried="No puzzle was tried. Your rating: {rating:.0f}.",
    ),
    "zh": PuzzleWords(
        goals={"win": "找出唯一能取胜的一步。", "draw": "找出唯一不会输的一步。"},
        greeting="你的等级分：{rating:.0f}，连对：{streak}。可输入：{commands}。",
        heading="难度 {rating}。轮到 {player} 走。{goal}",
        commands="列号落子，h 提示，s 看答案，q 退出",
        prompt="你的着法：",
        next_prompt="按回车做下一题，输入 q 退出：",
        not_a_move="{word!r} 不是着法；可输入：{commands}。",
        full="第 {column} 列已满。",
        right="正确：第 {column} 列。",
        line="主要变化：{moves}",
        wrong="错误：第 {column} 列。",
        refutation="后续着法：{moves}",
        try_again="请再试一次，等级分不再变化。",
        no_more_hints="没有更多提示了。",
        skipped="答案是第 {column} 列。",
        rating="你的等级分：{rating:.0f} ± {deviation:.0f}（{change:+.0f}），连对：{streak}",
        farewell="一次做对：{tried} 题中的 {solved} 题。你的等级分：{rating:.0f}。最长连对：{best}。",
        nothing_tried="还没有做题。你的等级分：{rating:.0f}。",
    ),
}
