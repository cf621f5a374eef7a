"""The command ``fourfall ask``: requests one move from an agent, under the judge's rules, to reproduce a game."""

from typing import Annotated

import typer

from fourfall import Board
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.judge import judge_move
from fourfall.arena.tables import clean_lines, replace_control_characters
from fourfall.cli.terminal import PositionArgument, read_position
from fourfall.render import COLUMN_NAMES


def ask(
    address: Annotated[
        str, typer.Argument(metavar="AGENT", help="Address of the agent, for example library:./bot.so.")
    ],
    position: PositionArgument,
    time: Annotated[float, typer.Option(min=0.001, max=1e6, help="Time per move in seconds.")] = Conditions.move_time_s,
    memory_mb: Annotated[
        int, typer.Option(min=1, max=2**20, help="Memory limit of a third-party agent in MiB.")
    ] = Conditions.memory_mb,
    opening: Annotated[int, typer.Option(min=0, max=143, help="Number of opening moves that no agent made.")] = 0,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Random seed of a built-in engine.")
    ] = Conditions.seed,
    no_sandbox: Annotated[bool, typer.Option("--no-sandbox", help="Run third-party code without the sandbox.")] = False,
) -> None:
    """Request a move from an agent and print the judge's verdict.

    The agent first gets all positions in which it had to move before, in order, because bots keep state between moves.
    The exit code is 0 if the move is legal and in time, otherwise 1.

    Examples:

      fourfall ask library:./bot.so 10x11@4,7:6655

      fourfall ask level-30 6x7:4444
    """
    board = read_position(position)
    if board.is_over:
        raise typer.BadParameter("the game is over at this position; choose an earlier one", param_hint="POSITION")
    if opening > board.ply:
        raise typer.BadParameter(f"the position has only {board.ply} moves", param_hint="--opening")
    conditions = Conditions(move_time_s=time, memory_mb=memory_mb, sandbox=not no_sandbox, seed=seed)
    agent = open_agent(address, conditions)
    try:
        is_legal = _request_moves(agent, board, opening, conditions)
    finally:
        agent.close()
    if agent.stderr:
        typer.echo(f"stderr\n{clean_lines(agent.stderr.rstrip())}")
    raise typer.Exit(0 if is_legal else 1)


def _request_moves(agent: Agent, board: Board, opening: int, conditions: Conditions) -> bool:
    """Replay the game and request each of the agent's moves; return whether the last one was legal and in time."""
    replayed = Board(board.rows, board.cols, board.hole)
    for move in board.moves[:opening]:
        replayed.push(move)
    try:
        typer.echo(f"start    {agent.start(replayed.copy()):.3f} s")
        for move in board.moves[opening:]:
            if replayed.turn == board.turn:
                agent.play(replayed.copy())
            replayed.push(move)
        agent_move = agent.play(replayed.copy())
    except AgentError as failure:
        where = "" if replayed.ply == board.ply else f" at {replayed.notation}"
        typer.echo(f"verdict  {failure.fault}{where}: {replace_control_characters(str(failure))}")
        typer.echo(f"time     {failure.seconds:.3f} s")
        return False
    typer.echo(f"move     {_format_move(agent_move)}")
    typer.echo(f"time     {agent_move.seconds:.3f} s of {conditions.move_time_s:g} s")
    if agent_move.score is not None:
        typer.echo(f"score    {agent_move.score}")
    verdict = judge_move(board, agent_move, conditions.move_time_s)
    detail = "legal" if verdict is None else f"{verdict.ending}: {replace_control_characters(verdict.detail)}"
    typer.echo(f"verdict  {detail}")
    return verdict is None


def _format_move(agent_move: AgentMove) -> str:
    """Write a move as the agent gave it; the column may be off the board."""
    has_name = 0 <= agent_move.column < len(COLUMN_NAMES)
    column = COLUMN_NAMES[agent_move.column] if has_name else f"number {agent_move.column + 1}"
    return column if agent_move.row is None else f"{column} (row {agent_move.row})"
