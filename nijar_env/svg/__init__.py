"""Pictures of a game as SVG, in simple shapes of our own. Standard library only.

`page.svg_page` draws a whole state; `raster` turns it into pixels with the extra `pictures`.
"""
