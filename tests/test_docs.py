"""Tests the references of the documentation to the code; tests/docs tests everything else."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = re.compile(r"`(\w+\.(?:[ch]pp|inl)): (\w+)`")


def test_code_references_in_seeds_page_exist() -> None:
    """Every `file: name` in docs/seeds.md is a name in a file of the core."""
    references = REFERENCE.findall((ROOT / "docs" / "seeds.md").read_text())
    assert len(references) > 15
    files = [(path.name, path.read_text()) for path in (ROOT / "cpp").rglob("*.*")]
    texts = {name: "\n".join(text for file, text in files if file == name) for name, _ in files}
    assert [(file, name) for file, name in references if not re.search(rf"\b{name}\b", texts.get(file, ""))] == []


def test_cpp_readme_lists_every_file() -> None:
    """cpp/README.md names every file of the core except the bindings."""
    listed = (ROOT / "cpp" / "README.md").read_text()
    stems = {
        path.stem for path in (ROOT / "cpp").rglob("[!.]*.*") if path.suffix != ".md" and path.parent.name != "bindings"
    }
    assert sorted(stem for stem in stems if not re.search(rf"\b{stem}\b", listed)) == []


def test_examples_are_listed_and_tested() -> None:
    """examples/README.md names every file and folder of the examples, and every Python program has a test."""
    listed = (ROOT / "examples" / "README.md").read_text()
    paths = [path for path in (ROOT / "examples").glob("[!._]*") if path.name != "README.md"]
    assert sorted(path.name for path in paths if f"`{path.name}" not in listed) == []
    tests = "".join(path.read_text() for path in (ROOT / "tests" / "examples").glob("test_*.py"))
    assert sorted(path.name for path in paths if path.suffix in (".py", ".mjs") and path.stem not in tests) == []
