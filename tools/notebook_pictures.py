"""Draws the pictures of docs/notebooks.md: `python -m tools.notebook_pictures`. Needs Chromium and Matplotlib."""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

from fourfall import Board, Engine, Game, Limit, review_game
from fourfall.plots import plot_evaluation
from fourfall.render.analysis_html import draw_analysis_html
from tests.web.browser.server import launch_browser

IMAGES = Path(__file__).parents[1] / "docs" / "images"
POSITION = "9x10@4,7:55556466"
GAME = Game("6x7:455544445413313355733766667711222112227766", names=("seed-002", "fourfall"))
PAGE = (
    "<style>body{{margin:0;padding:12px;width:max-content;max-width:1060px;font:14px system-ui,sans-serif}}</style>{}"
)


def main() -> None:
    """Write all pictures."""
    engine = Engine("fourfall", seed=1)
    analysis = engine.analyse(Board.parse(POSITION), Limit(simulations=3000))
    review = review_game(GAME, engine, Limit(simulations=300))
    with launch_browser() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 200})
        for name, html in (("analysis", draw_analysis_html(analysis)), ("review", review._repr_html_())):
            page.set_content(PAGE.format(html))
            page.locator("body").screenshot(path=IMAGES / f"notebook-{name}.png")
    GAME.to_svg(IMAGES / "notebook-game.svg")
    mpl.use("agg")
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "fourfall"}):
        _, ax = plt.subplots(figsize=(8, 3.5), layout="constrained")
        plot_evaluation(review, ax)
        plt.savefig(IMAGES / "notebook-evaluation.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
