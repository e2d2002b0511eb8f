"""The geometry of the pictures on pages: where a bar, a line or a word stands.

Pure: figures go in, places come out. Across, a place is a part of the picture's width in per
cent; up and down it is in lines of text. So a picture is as wide as there is room, its words
stay as large as the reader has chosen, and no two of them meet.
"""
