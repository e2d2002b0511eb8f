"""The geometry of the charts on pages: the positions of bars, lines and labels.

All functions are pure: they compute positions from numbers. Horizontal positions are in per
cent of the picture's width, vertical ones in heights of a line of text. A picture can therefore
fill the available width, with labels in the reader's text size that do not overlap.
"""
