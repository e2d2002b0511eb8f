"""The adviser: movements that fit an evening, rated as an expert director would.

`evening` is what is known, `figures` counts schedules, `weights` rates them, `shapes` finds
what one section can play, `fields` divides a field, and `cures` lists changes that would help.
"""
