"""The geometry of the pictures on pages: the places of bars, lines and words.

Pure functions from numbers to places. Horizontal places are in per cent of the picture's width,
vertical ones in lines of text. So a picture takes the available width, its words have the
reader's text size, and no two of them overlap.
"""
