"""The data that pages, papers and the API show, as frozen values ("sheets").

`values` defines most of the values; each other module builds one kind of sheet from the
database. Only `secrecy` decides whether a hand, a turn-up or a result may be shown.
"""
