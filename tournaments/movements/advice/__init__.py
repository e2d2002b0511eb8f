"""What an experienced director would advise: shapes that fit an evening, weighed and worded.

`evening` is what is known, `figures` counts schedules, `weights` prices them, `shapes` finds
what one section can play, `fields` divides a field, and `cures` says what would help.
"""
