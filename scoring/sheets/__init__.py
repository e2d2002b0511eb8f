"""The data that pages, papers and the API show, as frozen dataclasses ("sheets").

`values` defines most of the dataclasses; each other module builds one kind of sheet from the
database. Only `secrecy` decides whether a hand, a turn-up or a result may be shown.
"""
