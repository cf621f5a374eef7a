"""Sphinx extension: the directive `fourfall-command` describes a command with its arguments, options and examples.

The text is that of `fourfall COMMAND --help`, read from the program.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


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
    text, _, examples = command.help.partition("Examples:")
    words = ["fourfall", name]
    words += ["[OPTIONS]"] if any(_is_option(parameter) for parameter in command.params) else []
    words += [_describe_argument(parameter) for parameter in command.params if not _is_option(parameter)]
    words += ["COMMAND"] if hasattr(command, "commands") and not command.invoke_without_command else []
    return CommandHelp(
        " ".join(words),
        [" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip()],
        [line.strip() for line in examples.splitlines() if line.strip()],
        [_describe_parameter(parameter) for parameter in command.params if not parameter.hidden],
    )


def _load_program() -> Any:  # noqa: ANN401 (typer's classes have no public types)
    from fourfall.cli import app

    return typer.main.get_command(app)


def _list_sources() -> list[Path]:
    """List the files with the texts, so that the page is built again when one changes."""
    import fourfall.cli

    return sorted(Path(fourfall.cli.__file__).parent.glob("*.py"))


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


class CommandDirective(SphinxDirective):  # type: ignore[misc]
    """Inserts the description of a command."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return text, usage, a list of the parameters, and examples."""
        try:
            described = read_command_help(self.arguments[0])
        except ValueError as wrong:
            raise self.error(str(wrong)) from None
        for file in (Path(__file__), *_list_sources()):
            self.env.note_dependency(str(file))
        result: list[nodes.Node] = [make_paragraph(text) for text in described.paragraphs]
        result.append(nodes.literal_block("", described.usage, language="none"))
        if described.parameters:
            result.append(nodes.definition_list("", *map(make_item, described.parameters)))
        if described.examples:
            lines = "\n".join(described.examples)
            result += [nodes.paragraph("", "Examples:"), nodes.literal_block("", lines, language="none")]
        return result


def make_item(parameter: Parameter) -> nodes.definition_list_item:
    """Return the name and the default value of a parameter with its meaning."""
    term = nodes.term("", "", nodes.literal("", parameter.name))
    if parameter.default:
        term += [nodes.Text(" default: "), nodes.literal("", parameter.default)]
    return nodes.definition_list_item("", term, nodes.definition("", make_paragraph(parameter.help)))


def make_paragraph(text: str) -> nodes.paragraph:
    """Return a paragraph in which options are code: typography would make one dash of two."""
    parts = re.split(r"(?<!\S)(--[a-z][a-z-]*)", text)
    return nodes.paragraph(
        "", "", *(nodes.literal("", part) if part[:2] == "--" else nodes.Text(part) for part in parts)
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("fourfall-command", CommandDirective)
    return {"parallel_read_safe": True}
