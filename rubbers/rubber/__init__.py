"""The scoring engine of rubbers, without a database: hands become games, rubbers and points.

`codes` contains the four codes of laws and their `terms`. `hands` defines the input.
`hand_score` scores one hand, and `spell_score` a sequence of hands. `corrections` limits
corrections. `cuts` and `seating` decide who sits where and who leaves the table. `night` ranks
the players of an evening.
"""
