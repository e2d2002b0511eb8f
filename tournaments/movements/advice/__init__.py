"""The adviser: movements that fit an evening, rated as an expert director rates them.

`turnout` is the input: the number of entries and the limits. `statistics` measures a schedule,
and `weights` computes its cost from these measures. `section_options` lists movements for one
section, `proposals` divides a field into sections, and `remedies` lists changes of the limits.
"""
