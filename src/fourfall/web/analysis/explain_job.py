"""Explains one move with the facts and sentences of the coach, in a turn of the analysis threads."""

import asyncio

from fourfall import Analysis, Board, Limit
from fourfall.agents.native import EngineAgent
from fourfall.coach import LANGUAGES, Explanation, FactKind, explain
from fourfall.coach.sentences import write_sentences
from fourfall.web import limits
from fourfall.web.analysis.thread_pool import AnalysisPool
from fourfall.web.analysis.turn_queue import TurnQueue
from fourfall.web.engine_catalogue import BuiltinEngine
from fourfall.web.messages.replies import ExplanationReply
from fourfall.web.messages.schemas import FactInfo, SentencesInfo

_NEEDS_NO_SCORES = frozenset(
    {
        FactKind.WINS,
        FactKind.MISSES_WIN,
        FactKind.CANNOT_BLOCK,
        FactKind.MISSES_BLOCK,
        FactKind.OPENS_WIN,
        FactKind.DOUBLE_THREAT,
        FactKind.STACKED_THREAT,
        FactKind.NO_SAFE_REPLY,
        FactKind.FORCED_SEQUENCE,
        FactKind.ALLOWS_SEQUENCE,
    }
)
"""Kinds of the most important fact with which scores of the columns add nothing."""


async def run_explanation(
    board: Board,
    column: int,
    analysis: Analysis | None,
    engine: BuiltinEngine,
    queue: TurnQueue,
    pool: AnalysisPool,
    server_limits: limits.Limits,
) -> ExplanationReply:
    """Wait for a turn and explain a legal move.

    Args:
        board: position before the move.
        column: the move.
        analysis: analysis of `board` that the page shows, so that the explanation has the same values. Without it
            the engine searches for a short time, if scores of the columns can add something.
        engine: engine of this search.
        queue: queue for a thread. Raises RequestError `busy` if it is full.
        pool: threads of the analyses.
        server_limits: time and memory of the search.
    """
    agent = engine.create_agent(server_limits.analysis_memory_mb)
    limit = Limit(server_limits.explain_s)
    with queue.enter(lambda place: None) as member:
        await member.wait_turn()
        running = pool.start_task(agent, lambda: _explain(board, column, analysis, agent, limit), queue.end_turn)
        try:
            explanation = await asyncio.shield(running.future)
        finally:
            running.stop()
    return describe_explanation(explanation)


def _explain(board: Board, column: int, analysis: Analysis | None, agent: EngineAgent, limit: Limit) -> Explanation:
    explanation = explain(board, column, analysis=analysis)
    is_complete = explanation.facts and explanation.facts[0].kind in _NEEDS_NO_SCORES
    if analysis is not None or is_complete:
        return explanation
    return explain(board, column, analysis=agent.analyse(board.copy(), limit))


def describe_explanation(explanation: Explanation) -> ExplanationReply:
    """Describe an explanation; every fact has those of the sentences that are about it.

    >>> reply = describe_explanation(explain(Board.parse("6x7:112233"), 3))
    >>> reply.facts[0].kind.value, reply.facts[0].text.en
    ('wins', ['Blue wins at once: the stone in column 4 completes four in a row.'])
    """
    board, column = explanation.board, explanation.column
    text = {language: explanation.write(language) for language in LANGUAGES}
    rest = {language: list(sentences) for language, sentences in text.items()}
    facts = []
    for fact in explanation.facts:
        own = {}
        for language in LANGUAGES:
            written = write_sentences(board, column, [fact], language)
            is_used = rest[language][: len(written)] == written
            own[language] = written if is_used else []
            del rest[language][: len(own[language])]
        facts.append(FactInfo(**fact.to_json_value(), text=SentencesInfo(**own)))
    return ExplanationReply(position=board.notation, column=column, facts=facts, text=SentencesInfo(**text))
