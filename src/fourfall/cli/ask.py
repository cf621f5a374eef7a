"""Owns ``fourfall ask``: asks any agent for a move as the judge would, to see again what it did in a game."""

from typing import Annotated

import typer

from fourfall import Board
from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.judge import rule_on_answer
from fourfall.cli.terminal import PositionArgument, read_position
from fourfall.render import COLUMN_NAMES


def ask(
    address: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's address, for example library:./bot.so.")],
    position: PositionArgument,
    time: Annotated[float, typer.Option(min=0.001, max=1e6, help="Seconds for a move.")] = Conditions.move_time_s,
    memory_mb: Annotated[
        int, typer.Option(min=1, max=2**20, help="Memory in MiB, for a foreign agent.")
    ] = Conditions.memory_mb,
    opening: Annotated[int, typer.Option(min=0, max=143, help="Moves made before the agents began.")] = 0,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Makes a built-in engine repeatable.")
    ] = Conditions.seed,
    no_sandbox: Annotated[bool, typer.Option("--no-sandbox", help="Run foreign code without the jail.")] = False,
) -> None:
    """Ask an agent for a move and say what the judge makes of it.

    The agent is first asked for all its earlier moves of the game, in order, because bots remember. The exit code is 0
    if the answer is legal and in time, otherwise 1.

    Examples:

      fourfall ask library:./bot.so 10x11@4,7:6655

      fourfall ask level-3 6x7:4444
    """
    board = read_position(position)
    if board.is_over:
        raise typer.BadParameter("the game is over: there is nothing to ask", param_hint="POSITION")
    if opening > board.ply:
        raise typer.BadParameter(f"only {board.ply} moves were made", param_hint="--opening")
    conditions = Conditions(move_time_s=time, memory_mb=memory_mb, sandbox=not no_sandbox, seed=seed)
    agent = open_agent(address, conditions)
    try:
        legal = _ask(agent, board, opening, conditions)
    finally:
        agent.close()
    if agent.stderr:
        typer.echo(f"stderr\n{agent.stderr.rstrip()}")
    raise typer.Exit(0 if legal else 1)


def _ask(agent: Agent, board: Board, opening: int, conditions: Conditions) -> bool:
    """Ask every question of the game that is this agent's; whether the last answer was legal."""
    asked = Board(board.rows, board.cols, board.hole)
    for move in board.moves[:opening]:
        asked.push(move)
    try:
        typer.echo(f"start    {agent.start(asked.copy()):.3f} s")
        for move in board.moves[opening:]:
            if asked.turn == board.turn:
                agent.play(asked.copy())
            asked.push(move)
        answer = agent.play(asked.copy())
    except AgentError as failure:
        where = "" if asked.ply == board.ply else f" at {asked.notation}"
        typer.echo(f"verdict  {failure.fault}{where}: {failure}")
        typer.echo(f"time     {failure.seconds:.3f} s")
        return False
    typer.echo(f"move     {_move(answer)}")
    typer.echo(f"time     {answer.seconds:.3f} s of {conditions.move_time_s:g} s")
    if answer.score is not None:
        typer.echo(f"score    {answer.score}")
    verdict = rule_on_answer(board, answer, conditions.move_time_s)
    typer.echo("verdict  legal" if verdict is None else f"verdict  {verdict.ending}: {verdict.detail}")
    return verdict is None


def _move(answer: AgentMove) -> str:
    """Write a move as it was given, which may be anywhere."""
    known = 0 <= answer.column < len(COLUMN_NAMES)
    column = COLUMN_NAMES[answer.column] if known else f"number {answer.column + 1}"
    return column if answer.row is None else f"{column} (row {answer.row})"
