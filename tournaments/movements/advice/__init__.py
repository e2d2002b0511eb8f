"""The adviser: movements that fit an evening, rated as an expert director would.

`turnout` has the known facts of an evening, `statistics` counts schedules, and `weights` rates
them. `section_options` finds what one section can play, `proposals` divides a field, and
`remedies` lists changes that would help.
"""
