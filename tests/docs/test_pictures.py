"""Tests that drawing the pictures of the documentation again gives the same files, and what the pictures show."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest

from tools.docs.pictures import IMAGES, PICTURES
from tools.docs.search_pictures import draw_growth, draw_proof
from tools.docs.tree_drawing import DrawnNode, draw_tree


@pytest.mark.parametrize(("name", "draw"), PICTURES.items(), ids=PICTURES)
def test_picture_is_current(name: str, draw: Callable[[], str]) -> None:
    """The file is what the engines draw today; if a change is intended, run make pictures."""
    assert draw() == (IMAGES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_small_and_valid(name: str) -> None:
    """A picture has at most 10 kB, a title for screen readers, and a size that a phone can show."""
    text = (IMAGES / name).read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)  # noqa: S314 (our own file)
    assert len(text) < 10_000
    assert root.findtext("{http://www.w3.org/2000/svg}title")
    assert float(root.attrib["width"]) <= 740


def test_pictures_show_the_search() -> None:
    """The root has all visits; the proof reaches it with the last simulation only."""
    assert ">100<" in draw_growth(100, 3)
    assert "wins in 3" not in draw_proof(46)
    assert draw_proof(47).count("wins in 3") == 2


def test_nodes_do_not_overlap() -> None:
    """Siblings and cousins have different places, and a parent is in the middle of its children."""
    leaves = [DrawnNode(str(move), "1", 0.0, 0.1) for move in range(3)]
    inner = [DrawnNode("a", "2", 0.5, 0.2, children=leaves[:2]), DrawnNode("b", "1", -0.5, 0.1, children=leaves[2:])]
    root = ElementTree.fromstring(draw_tree(DrawnNode("", "3", 0.0, 1.0, children=inner), title="t", caption=""))  # noqa: S314
    circles = [
        (float(circle.attrib["cx"]), float(circle.attrib["cy"]))
        for circle in root.iter("{http://www.w3.org/2000/svg}circle")
        if circle.attrib.get("stroke")
    ]
    assert len(set(circles)) == 6
    first, second, parent = circles[:3]
    assert parent[0] == (first[0] + second[0]) / 2
    assert parent[1] < first[1] == second[1]
