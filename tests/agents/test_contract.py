"""Owns the contract that every kind of agent passes: whole legal games, on either side, and nothing left behind."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fourfall import Board
from fourfall.agents.address import parse
from fourfall.agents.base import Agent, AgentMove, Conditions
from fourfall.agents.registry import check, is_third_party, open_agent, resolve_paths
from fourfall.arena.judge import rule_on_answer
from tests.agents.bots import Bots, left_running

KINDS = [
    "preset", "preset file", "level", "library", "program", "program+json", "python file", "python module", "kaggle",
    "ugi",
]  # fmt: skip
FOREIGN = KINDS[3:]
TALKATIVE = FOREIGN
BOARDS = ["6x7", "9x10@8,4", "10x9@0,4", "4x5@1,2:1"]
CONDITIONS = Conditions(move_time_s=3.0, startup_time_s=20.0, seed=7)


@contextmanager
def opened(bots: Bots, kind: str, conditions: Conditions = CONDITIONS) -> Iterator[Agent]:
    """Open a sample agent and close it afterwards."""
    agent = open_agent(bots.addresses[kind], conditions, bots.folder)
    try:
        yield agent
    finally:
        agent.close()


def ask(agent: Agent, board: Board) -> AgentMove:
    """Ask for a move, and see that it is legal, in time and leaves the board alone."""
    before = board.notation
    answer = agent.play(board)
    assert board.notation == before
    assert rule_on_answer(board, answer, CONDITIONS.move_time_s) is None
    return answer


@pytest.mark.parametrize("start", BOARDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_against_itself_is_legal(bots: Bots, kind: str, start: str) -> None:
    """Two agents of one address play a game to its end, one on each side, at once and without waiting for the limit."""
    board = Board.parse(start)
    with opened(bots, kind) as first, opened(bots, kind) as second:
        agents = (first, second)
        for agent in agents:
            assert 0 <= agent.start(board.copy()) < CONDITIONS.startup_time_s
        seconds = 0.0
        while not board.is_over:
            answer = ask(agents[board.turn], board)
            seconds += answer.seconds
            board.push(answer.column)
        assert seconds < CONDITIONS.move_time_s
    assert left_running(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", ["6x7:112233", "9x10@8,4:515253", "6x7@3,0:1213141"])
def test_an_obvious_win_is_taken(bots: Bots, kind: str, position: str) -> None:
    """Asked for the first time in the middle of a game, it sees the same stones that we see."""
    board = Board.parse(position)
    with opened(bots, kind) as agent:
        agent.start(Board(board.rows, board.cols, board.hole))
        assert ask(agent, board).column in board.winning_moves


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_questions_get_the_same_answers(bots: Bots, kind: str) -> None:
    """A seed and a limit in simulations repeat a built-in engine's moves and scores; the samples draw no lots."""
    answers = []
    for _ in range(2):
        with opened(bots, kind) as agent:
            agent.start(Board.parse("9x10@4,4"))
            told = [agent.play(Board.parse(f"9x10@4,4{moves}")) for moves in ("", ":55", ":5566")]
            answers.append([(answer.column, answer.row, str(answer.score)) for answer in told])
    assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", TALKATIVE)
def test_what_a_bot_writes_to_stderr_is_kept(bots: Bots, kind: str) -> None:
    """It is there after the end, and shows that the bot remembers the game."""
    with opened(bots, kind) as agent:
        agent.start(Board(6, 7))
        agent.play(Board.parse("6x7"))
        agent.play(Board.parse("6x7:44"))
    assert "asked 1\n" in agent.stderr
    assert "asked 2\n" in agent.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_closing_twice_or_without_a_start_is_fine(bots: Bots, kind: str) -> None:
    """Whoever tidies up does not have to know how far an agent came."""
    agent = open_agent(bots.addresses[kind], CONDITIONS, bots.folder)
    agent.close()
    assert agent.stderr == ""
    with opened(bots, kind) as started:
        started.start(Board(6, 7))
        started.close()
        started.close()
    assert left_running(bots.folder) == []


@pytest.mark.parametrize("kind", FOREIGN)
def test_it_runs_without_the_jail_too(bots: Bots, kind: str) -> None:
    """On a machine without protections, and if asked for."""
    with opened(bots, kind, Conditions(startup_time_s=20.0, sandbox=False)) as agent:
        agent.start(Board(6, 7))
        ask(agent, Board.parse("6x7:44"))
    assert left_running(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_address_can_be_checked_and_made_absolute(bots: Bots, kind: str) -> None:
    """A good address passes the check, also from another folder once it is resolved."""
    address = bots.addresses[kind]
    check(address, bots.folder)
    assert is_third_party(address) == (kind in FOREIGN)
    assert str(parse(address)) == address
    if kind != "python module":
        check(resolve_paths(address, bots.folder))


@pytest.mark.parametrize("kind", ["preset", "preset file", "level", "ugi"])
def test_engines_say_what_they_think(bots: Bots, kind: str) -> None:
    """A win in one is told as such."""
    with opened(bots, kind) as agent:
        agent.start(Board(6, 7))
        score = agent.play(Board.parse("6x7:112233")).score
    assert score is not None
    assert score.win_chance > 0.9
