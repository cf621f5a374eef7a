"""Reports about events: one self-contained HTML file, CSV, JSON, SVG figures and a summary for the terminal."""
