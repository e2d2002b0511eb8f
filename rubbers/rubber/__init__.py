"""The scoring engine of rubbers, without a database: hands become games, rubbers and points.

`codes` has the four codes and their `terms`. `hands` is the input, `marking` scores one hand
and `reckoning` a sequence of them. `corrections` limits corrections, `cutting` decides seats
and who leaves the table, and `night` ranks the members. `files` reads and writes the input and
output of the command `rubber`.
"""
