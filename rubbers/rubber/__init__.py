"""Rubber nights, pure: hands at a single table become games, rubbers and points.

`codes` has the four codes and their `terms`; `hands` is what a marker writes down, `marking`
counts one hand and `reckoning` a night of them; `corrections` says until when a mistake is put
right, `cutting` who plays, with whom and who goes out, `night` how everybody stands. `files`
reads and writes what the command `rubber` is given.
"""
