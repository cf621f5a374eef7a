"""The command ``fourfall new``: writes a starter kit for a bot."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.kits.starter_kit import COMMANDS, Kind, Language, write_kit
from fourfall.system.command_line import quote_word

_CREATED: dict[Language, str] = {
    "en": "Created {folder}: {files}\n\nNext:",
    "zh": "已生成 {folder}：{files}\n\n下一步：",
}
# What the commands of COMMANDS do: the first one for C++ and for Python, then the other two.
_BUILD_PURPOSES: dict[Language, tuple[str, str]] = {
    "en": ("build it and run its test", "run its test"),
    "zh": ("编译并运行测试", "运行测试"),
}
_PURPOSES: dict[Language, tuple[str, str]] = {
    "en": ("try it against a level while you change it", "find its level in 60 games"),
    "zh": ("一边修改，一边与一个等级对弈", "用 60 局测出它的等级"),
}


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the bot; new or empty.", show_default=False)],
    kind: Annotated[
        Kind,
        typer.Option(
            help="Kind of bot: cpp is the course's strategy library, platform a program for the online platform, "
            "python a Python function."
        ),
    ] = "cpp",
    lang: Annotated[Language, typer.Option(help="Language of comments, README and the output of this command.")] = "en",
) -> None:
    """Write a starter kit: a complete small bot with its build file, its test and a README.

    The bot wins at once if it can, stops the opponent's immediate win, and otherwise searches with Monte Carlo tree
    search. Existing files are never overwritten.

    Examples:

      fourfall new mybot

      fourfall new mybot --kind python --lang zh
    """
    names = write_kit(folder, kind, lang)
    commands = COMMANDS[kind]
    width = max(map(len, commands))
    typer.echo(_CREATED[lang].format(folder=folder, files=", ".join(names)))
    if folder.resolve() != Path.cwd():
        typer.echo(f"  cd {quote_word(str(folder))}")
    purposes = (_BUILD_PURPOSES[lang][kind == "python"], *_PURPOSES[lang])
    for command, purpose in zip(commands, purposes, strict=True):
        typer.echo(f"  {command:{width}}  # {purpose}")
