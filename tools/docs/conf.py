"""Configuration of the documentation site, read by Sphinx: `make docs`."""

import sys
import tomllib
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tools.docs.native_stub import import_package  # noqa: E402

import_package()

project = "Fourfall"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "tools.docs.command_reference",
    "tools.docs.docstrings",
    "tools.docs.repository_links",
    "tools.docs.search_language",
]
nitpicky = True
# Types of other packages, and names of modules that are not in the reference.
nitpick_ignore_regex = [
    ("py:.*", r"(collections|contextlib|enum|numpy|os|pathlib|sqlite3|typing)\..*|NDArray.*|Axes"),
    ("py:.*", r"(gymnasium|onnx|pettingzoo|pyspiel)\..*"),
    ("py:.*", r"fourfall\.[a-z_]+\..*"),
]

default_role = "code"
# Blocks without a language are commands and their output; Sphinx would colour them as Python.
highlight_language = "none"
myst_heading_anchors = 4

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": False}
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
add_module_names = False

html_theme = "furo"
html_title = "Fourfall"
html_search_language = "en-zh"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
templates_path: list[str] = []
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#005a8f",
        "color-brand-content": "#005a8f",
        "color-brand-visited": "#6b4a8f",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans SC', sans-serif",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6db9e8",
        "color-brand-content": "#6db9e8",
        "color-brand-visited": "#c3a6e3",
    },
    "footer_icons": [],
}


def complete_headings(app: Sphinx, page: str, template: str, context: dict[str, Any], document: object) -> None:
    """Give the captions of the navigation a level: screen readers need one for headings, and the theme has none."""
    if "furo_navigation_tree" in context:
        tree = context["furo_navigation_tree"]
        context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Sphinx) -> None:
    """Show sessions of the Universal Game Interface as plain text; complete the theme."""
    app.add_lexer("ugi", TextLexer)
    app.connect("html-page-context", complete_headings, priority=900)
