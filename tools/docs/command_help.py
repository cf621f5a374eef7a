"""Reads the commands of the program with their arguments, options and examples, as `--help` prints them."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import typer

_EXAMPLE = re.compile(r'([A-Z_]+=(".*?"|\S+) )?fourfall ')


class Parameter(NamedTuple):
    """An argument or option of a command."""

    name: str
    default: str
    help: str


class CommandHelp(NamedTuple):
    """What the program says about a command."""

    usage: str
    paragraphs: list[str]
    examples: list[str]
    notes: list[str]
    parameters: list[Parameter]


def list_command_names() -> list[str]:
    """List all commands in the order of `fourfall --help`, those of a group after the group.

    >>> [name for name in list_command_names() if name.startswith("engines")]
    ['engines', 'engines show']
    """
    return list(_list_names(_load_program(), ""))


def read_command_help(name: str) -> CommandHelp:
    """Return the description of a command; ValueError if it does not exist.

    >>> read_command_help("perft").usage
    'fourfall perft [OPTIONS] POSITION DEPTH'
    """
    command = _load_program()
    for word in name.split():
        if word not in getattr(command, "commands", {}):
            raise ValueError(f"there is no command fourfall {name}")
        command = command.commands[word]
    text, _, rest = command.help.partition("Examples:")
    examples = _split_paragraphs(rest)
    words = ["fourfall", name]
    words += ["[OPTIONS]"] if any(_is_option(parameter) for parameter in command.params) else []
    words += [_describe_argument(parameter) for parameter in command.params if not _is_option(parameter)]
    words += ["COMMAND"] if hasattr(command, "commands") and not command.invoke_without_command else []
    return CommandHelp(
        " ".join(words),
        _split_paragraphs(text),
        [line for line in examples if _EXAMPLE.match(line)],
        [line for line in examples if not _EXAMPLE.match(line)],
        [_describe_parameter(parameter) for parameter in command.params if not parameter.hidden],
    )


def _split_paragraphs(text: str) -> list[str]:
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip()]


def _load_program() -> Any:  # noqa: ANN401 (typer's classes have no public types)
    from fourfall.cli import app

    return typer.main.get_command(app)


def _list_names(group: Any, prefix: str) -> Iterator[str]:  # noqa: ANN401
    for name, command in group.commands.items():
        yield prefix + name
        if hasattr(command, "commands"):
            yield from _list_names(command, f"{prefix}{name} ")


def _is_option(parameter: Any) -> bool:  # noqa: ANN401
    return str(parameter.opts[0]).startswith("-")


def _describe_argument(parameter: Any) -> str:  # noqa: ANN401
    """Return the name of an argument, in brackets if it may be left out."""
    name = str(parameter.metavar or parameter.name.upper()).strip("[]")
    return name if parameter.required else f"[{name}]"


def _describe_parameter(parameter: Any) -> Parameter:  # noqa: ANN401
    if not _is_option(parameter):
        name = str(parameter.metavar or parameter.name.upper()).strip("[]")
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
        name += f" {parameter.metavar}" if parameter.metavar else ""
    default = ""
    if isinstance(parameter.show_default, str):
        default = parameter.show_default
    elif parameter.show_default and parameter.default is not None and parameter.default is not False:
        default = "yes" if parameter.default is True else str(parameter.default)
    return Parameter(name, default, re.sub(r"\\\[", "[", parameter.help or ""))
