"""Draws boards and games: text for the terminal, SVG for web pages and notebooks, animations as SVG and GIF."""

from fourfall.render.animation import draw_animated_svg
from fourfall.render.display import add_display_methods
from fourfall.render.gif import draw_gif
from fourfall.render.labels import COLUMN_NAMES, Value
from fourfall.render.svg import draw_svg
from fourfall.render.text import draw_text

__all__ = ["COLUMN_NAMES", "Value", "add_display_methods", "draw_animated_svg", "draw_gif", "draw_svg", "draw_text"]
