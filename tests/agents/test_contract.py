"""The contract suite of `Agent`: every kind of agent plays whole legal games on either side and leaves no process."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fourfall import Board, Limit
from fourfall.agents.address import parse_address
from fourfall.agents.base import Agent, AgentMove, Conditions
from fourfall.agents.registry import check_address, is_third_party, open_agent, resolve_paths
from fourfall.arena.judge import judge_move
from tests.agents.bots import KINDS, THIRD_PARTY_KINDS, Bots, list_remaining_processes

BOARDS = ["6x7", "9x10@8,4", "10x9@0,4", "4x5@1,2:1"]
CONDITIONS = Conditions(move_time_s=3.0, startup_time_s=20.0, seed=7)


@contextmanager
def open_sample_agent(bots: Bots, kind: str, conditions: Conditions = CONDITIONS) -> Iterator[Agent]:
    """Open a sample agent and close it afterwards."""
    agent = open_agent(bots.addresses[kind], conditions, bots.folder)
    try:
        yield agent
    finally:
        agent.close()


def play_checked(agent: Agent, board: Board) -> AgentMove:
    """Return the agent's move after checking that it is legal, in time and leaves the board unchanged."""
    before = board.notation
    move = agent.play(board)
    assert board.notation == before
    assert judge_move(board, move, CONDITIONS.move_time_s) is None
    return move


@pytest.mark.parametrize("start", BOARDS)
@pytest.mark.parametrize("kind", KINDS)
def test_two_agents_play_a_whole_legal_game(bots: Bots, kind: str, start: str) -> None:
    """Two agents with one address play a game to its end; all moves together take less than the time of one move."""
    board = Board.parse(start)
    with open_sample_agent(bots, kind) as first, open_sample_agent(bots, kind) as second:
        agents = (first, second)
        for agent in agents:
            assert 0 <= agent.start(board.copy()) < CONDITIONS.startup_time_s
        seconds = 0.0
        while not board.is_over:
            move = play_checked(agents[board.turn], board)
            seconds += move.seconds
            board.push(move.column)
        assert seconds < CONDITIONS.move_time_s
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("position", ["6x7:112233", "9x10@8,4:515253", "6x7@3,0:1213141"])
def test_an_agent_plays_a_winning_move(bots: Bots, kind: str, position: str) -> None:
    """Asked for the first time in the middle of a game, the agent gets the right stones."""
    board = Board.parse(position)
    with open_sample_agent(bots, kind) as agent:
        agent.start(Board.from_geometry(board.geometry))
        assert play_checked(agent, board).column in board.winning_moves


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_questions_get_the_same_answers(bots: Bots, kind: str) -> None:
    """A seed and a number of simulations reproduce the moves and scores of a built-in engine."""
    answers = []
    for _ in range(2):
        with open_sample_agent(bots, kind) as agent:
            agent.start(Board.parse("9x10@4,4"))
            moves = [agent.play(Board.parse(f"9x10@4,4{moves}")) for moves in ("", ":55", ":5566")]
            answers.append([(move.column, move.row, str(move.score)) for move in moves])
    assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", THIRD_PARTY_KINDS)
def test_stderr_is_kept_after_the_end(bots: Bots, kind: str) -> None:
    """It also shows that the agent keeps its state between two moves."""
    with open_sample_agent(bots, kind) as agent:
        agent.start(Board(6, 7))
        agent.play(Board.parse("6x7"))
        agent.play(Board.parse("6x7:44"))
    assert "question 1" in agent.stderr
    assert "question 2" in agent.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_closing_twice_or_without_a_start(bots: Bots, kind: str) -> None:
    """`close` is allowed in every state."""
    agent = open_agent(bots.addresses[kind], CONDITIONS, bots.folder)
    agent.close()
    assert agent.stderr == ""
    with open_sample_agent(bots, kind) as started:
        started.start(Board(6, 7))
        started.close()
        started.close()
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_closed_agent_does_not_play(bots: Bots, kind: str) -> None:
    """The error is a RuntimeError: the caller is wrong, not the agent."""
    agent = open_agent(bots.addresses[kind], CONDITIONS, bots.folder)
    agent.start(Board(6, 7))
    agent.close()
    with pytest.raises(RuntimeError, match="this agent is closed"):
        agent.play(Board(6, 7))


@pytest.mark.parametrize("kind", THIRD_PARTY_KINDS)
def test_agents_run_without_the_sandbox(bots: Bots, kind: str) -> None:
    """On a machine without the protections the caller can switch the sandbox off."""
    with open_sample_agent(bots, kind, Conditions(startup_time_s=20.0, sandbox=False)) as agent:
        agent.start(Board(6, 7))
        play_checked(agent, Board.parse("6x7:44"))
    assert list_remaining_processes(bots.folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_addresses_can_be_checked_and_made_absolute(bots: Bots, kind: str) -> None:
    """A valid address passes the check; after `resolve_paths` it passes in another folder too."""
    address = bots.addresses[kind]
    check_address(address, bots.folder)
    assert is_third_party(address) == (kind in THIRD_PARTY_KINDS)
    assert str(parse_address(address)) == address
    if kind != "python module":
        check_address(resolve_paths(address, bots.folder))


@pytest.mark.parametrize("kind", ["preset", "preset file", "level", "ugi"])
def test_engines_report_a_score(bots: Bots, kind: str) -> None:
    """A win in one has a high score."""
    with open_sample_agent(bots, kind) as agent:
        agent.start(Board(6, 7))
        score = agent.play(Board.parse("6x7:112233")).score
    assert score is not None
    assert score.win_chance > 0.9


@pytest.mark.parametrize("kind", ["python file", "kaggle", "ugi"])
def test_agents_get_the_time_of_each_move(bots: Bots, kind: str) -> None:
    """Interfaces with a time per move pass on that of the call, else that of the conditions."""
    with open_sample_agent(bots, kind) as agent:
        agent.start(Board(6, 7))
        agent.play(Board(6, 7), Limit(time=1.5))
        agent.play(Board(6, 7), Limit(simulations=5))
    first, second = ("1.42", "2.89") if kind == "ugi" else ("1.5", "3.0")
    assert f"question 1, time {first}\n" in agent.stderr
    assert f"question 2, time {second}\n" in agent.stderr
