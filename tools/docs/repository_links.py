"""Sphinx extension for links that leave docs/: the site contains only docs/, so they are shown as paths."""

from pathlib import Path
from urllib.parse import unquote

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

# Files of the repository that are pages of the site, with the names of these pages.
PAGES = {"CHANGELOG.md": "changelog", "CONTRIBUTING.md": "contributing"}


def replace_links(app: Sphinx, document: nodes.document) -> None:
    """Replace the links of one page that leave docs/ by their text and the path of the file in the repository."""
    docs = Path(app.srcdir).resolve()
    folder = (docs / app.env.docname).parent
    for link in list(document.findall(pending_xref)):
        if link.get("reftype") != "myst":
            continue
        file = find_file(unquote(str(link["reftarget"])).partition("#")[0], folder, docs.parent)
        if file is None or file.is_relative_to(docs):
            continue
        path = str(file.relative_to(docs.parent))
        if path in PAGES:
            link.attributes.update(refdomain="doc", reftarget=PAGES[path])
        else:
            link.replace_self(describe_path(path, link.astext()))


def find_file(target: str, folder: Path, repository: Path) -> Path | None:
    """Return the file to which a link leads, relative to the page or, in included files, to the repository."""
    for base in (folder, repository):
        # Links to Markdown files may come without their suffix.
        for file in ((base / target).resolve(), (base / f"{target}.md").resolve()):
            if target and file.is_relative_to(repository) and file.exists():
                return file
    return None


def describe_path(path: str, text: str) -> list[nodes.Node]:
    """Return the nodes that replace a link: the path, after the text of the link unless that is the path."""
    code = nodes.literal(path, path)
    return [code] if path.endswith(text) else [nodes.Text(f"{text} ("), code, nodes.Text(")")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the replacement."""
    app.connect("doctree-read", replace_links)
    return {"parallel_read_safe": True}
