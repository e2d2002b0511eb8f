"""The scoring engine of rubbers, without a database: hands become games, rubbers and points.

`codes` has the four codes and their `terms`. `hands` is the input; `hand_score` scores one
hand and `spell_score` a sequence of hands. `corrections` limits corrections, `cuts` and
`seating` decide seats and who leaves the table, and `night` ranks the members.
"""
