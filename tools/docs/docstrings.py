"""Sphinx extension: converts the sections of docstrings (Args, Returns, Attributes) of classes and functions.

The extension sphinx.ext.napoleon would also change docstrings of attributes, where it takes the text before a colon
for a type.
"""

from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, GoogleDocstring

# Attributes become a list in the description of the class; autodoc describes those that have a docstring of their own.
_CONFIG = Config(napoleon_use_ivar=True)


def convert_sections(
    app: Sphinx, what: str, name: str, obj: object, options: dict[str, bool], lines: list[str]
) -> None:
    """Replace the lines of a docstring by reStructuredText."""
    if what in ("class", "exception", "function", "method"):
        lines[:] = GoogleDocstring(list(lines), _CONFIG, app, what, name, obj, options).lines()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the conversion."""
    app.connect("autodoc-process-docstring", convert_sections)
    return {"parallel_read_safe": True}
