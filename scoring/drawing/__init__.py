"""The geometry of the charts on pages: the positions of bars, lines and labels.

Pure functions from numbers to positions. Horizontal positions are in per cent of the picture's
width, vertical ones in lines of text. A picture can fill the available width, its labels have
the reader's text size, and labels do not overlap.
"""
