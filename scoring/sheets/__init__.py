"""The data that a page, a paper or the API shows, each as one frozen value.

`values` defines the values; each of the other modules reads one kind from the database. Only
`secrecy` decides whether a hand, a turn-up or a result may be shown at all.
"""
