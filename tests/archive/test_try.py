from clubs.archives.known import tables, unknown
from config.archives import KNOWN


def test_it():
    for t in tables(KNOWN): print(t.label, t.way, t.root)
    print(unknown(KNOWN))
