"""Draws the pictures of docs/tree_search.md from searches of the real engines."""

from collections.abc import Iterator

from fourfall import Board, Engine, Limit, TreeNode
from fourfall.render.labels import COLUMN_NAMES
from fourfall.render.svg import FAINT, INK
from tools.docs.tree_drawing import DrawnNode, draw_edge, draw_node, draw_text, draw_tree, open_picture

OPENING = "6x7:4453"
TACTICS = "6x7:574755774277"
DEPTH = 10


def draw_growth(simulations: int, least_visits: int) -> str:
    """Draw the tree of the preset seed-002 after a number of simulations, without rarely visited nodes."""
    root = search("seed-002", OPENING, simulations)
    caption = f"number in a node: visits{'' if least_visits == 1 else f'; nodes with at least {least_visits} visits'}"
    title = f"Search tree of seed-002 in {OPENING} after {simulations} simulations"
    return draw_tree(convert(root, least_visits), title=title, caption=caption)


def draw_proof(simulations: int) -> str:
    """Draw the tree below the winning move of a tactical position, before or after the proof."""
    root = search("seed-004-v12", TACTICS, simulations)
    title = f"Search tree of seed-004-v12 in {TACTICS} after {simulations} simulations"
    caption = "thick border: proven, for the side that played the move above"
    return draw_tree(convert(root, 4), title=title, caption=caption, slot=64)


def draw_transposition(simulations: int) -> str:
    """Draw two orders of moves that lead to one node of the graph of seed-004-v14."""
    root = search("seed-004-v14", OPENING, simulations)
    orders = ("467", "764")
    paths = [list(follow(root, order)) for order in orders]
    if Board.parse(OPENING + orders[0]) != Board.parse(OPENING + orders[1]):
        raise ValueError(f"{orders[0]} and {orders[1]} do not lead to the same position")
    width, height, step = 420, 390, 92
    title = f"Two orders of moves to one position in the graph of seed-004-v14 after {simulations} simulations"
    shared = (width / 2, 40 + 3 * step)
    edges, nodes = [], [*draw_node(convert_node(root, 0, simulations), width / 2, 40)]
    for path, x in zip(paths, (width / 2 - 110, width / 2 + 110), strict=True):
        points = [(width / 2, 40), (x, 40 + step), (x, 40 + 2 * step), shared]
        for depth, node in enumerate(path):
            name = COLUMN_NAMES[node.column]
            edges.append(draw_edge(*points[depth], *points[depth + 1], name))
            if depth < len(path) - 1:
                nodes += draw_node(convert_node(node, depth + 1, simulations), *points[depth + 1])
    visits = [path[-1].visits for path in paths]
    joint = DrawnNode("", "", paths[0][-1].score.value, 0.3)
    nodes += draw_node(joint, *shared)
    captions = [
        draw_text(shared[0] - 118, shared[1] + 4, f"{visits[0]} visits by this edge", 12, INK),
        draw_text(shared[0] + 118, shared[1] + 4, f"{visits[1]} visits by this edge", 12, INK),
        draw_text(width / 2, height - 12, "one stored position, one value, two edges with their own visits", 12, FAINT),
    ]
    return "\n".join([*open_picture(width, height, title), *edges, *nodes, *captions, "</svg>\n"])


def search(preset: str, position: str, simulations: int) -> TreeNode:
    """Search a position with seed 1 and return the tree."""
    engine = Engine(preset, seed=1)
    engine.search(Board.parse(position), Limit(simulations=simulations))
    return engine.tree(DEPTH)


def follow(root: TreeNode, moves: str) -> Iterator[TreeNode]:
    """Yield the nodes along a sequence of moves."""
    node = root
    for move in moves:
        node = next(child for child in node.children if COLUMN_NAMES[child.column] == move)
        yield node


def convert(root: TreeNode, least_visits: int) -> DrawnNode:
    """Convert a tree for drawing; the children from left to right, only those with enough visits or a proof."""

    def convert_below(node: TreeNode, depth: int) -> DrawnNode:
        kept = [child for child in node.children if child.visits >= least_visits or child.score.is_exact]
        drawn = convert_node(node, depth, root.visits)
        drawn.children.extend(convert_below(child, depth + 1) for child in sorted(kept, key=lambda c: c.column))
        return drawn

    return convert_below(root, 0)


def convert_node(node: TreeNode, depth: int, simulations: int) -> DrawnNode:
    """Convert one node without its children; scores are of the side that moved, at the root of the side to move."""
    value = node.score.value if depth == 0 or depth % 2 == 1 else -node.score.value
    proof = str(node.score) if node.score.is_exact else ""
    move = COLUMN_NAMES[node.column] if depth else ""
    return DrawnNode(move, str(node.visits), value, node.visits / simulations, proof)
