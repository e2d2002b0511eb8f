"""Work that heals by itself: a job is a row, and the queue only a bell.

`kinds` says what work there is, `wanting` writes it down, `bell` tells a worker, `doing` does
it, `sweeping` finds what is left over. Nothing here knows what the work is about.
"""
