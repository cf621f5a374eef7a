"""Sphinx extension: the directive `fourfall-command` describes a command with its arguments, options and examples."""

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.docs.command_help import Parameter, read_command_help


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
        return result + [make_paragraph(text) for text in described.notes]


def make_item(parameter: Parameter) -> nodes.definition_list_item:
    """Return the name and the default value of a parameter with its meaning."""
    term = nodes.term("", "", nodes.literal("", parameter.name))
    if parameter.default:
        term += [nodes.Text(" default: "), nodes.literal("", parameter.default)]
    return nodes.definition_list_item("", term, nodes.definition("", make_paragraph(parameter.help)))


def make_paragraph(text: str) -> nodes.paragraph:
    """Return a paragraph in which options are code: typography would make one dash of two."""
    parts = re.split(r"(?<![\w-])(--[a-z][a-z-]*)", text)
    return nodes.paragraph(
        "", "", *(nodes.literal("", part) if part[:2] == "--" else nodes.Text(part) for part in parts)
    )


def _list_sources() -> list[Path]:
    """List the files with the texts, so that the page is built again when one changes."""
    import fourfall.cli

    return sorted(Path(fourfall.cli.__file__).parent.glob("*.py"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("fourfall-command", CommandDirective)
    return {"parallel_read_safe": True}
