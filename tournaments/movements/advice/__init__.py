"""The adviser: movements that fit an evening, rated as an expert director rates them.

`turnout` is the input, `statistics` counts schedules, and `weights` rates them.
`section_options` lists movements for one section, `proposals` divides a field into sections,
and `remedies` lists changes that would help.
"""
