"""The search over a large club: four thousand names and two thousand evenings.

Run by hand: `python -m bench.search`, over a database of its own that is thrown away. Prints
the best and the worst of ten searches of each kind, in milliseconds of the server's own time;
none may take more than fifty. What a process loads at the first search is not counted.
"""

import os
import tempfile
import time
from datetime import date, timedelta

PEOPLE, EVENINGS, PAIRS, TIMES, MOST = 4_000, 2_000, 14, 10, 50
QUERIES = ("pym", "zoe lef", "a", "tuesday march", "2026", "revoke", "b12", "nobody at all")
FIRST = ("Arthur", "Beryl", "Zoë", "Łucja", "Ivy", "Colin", "Queenie", "Małgorzata")
LAST = ("Pym", "Lefèvre", "Dace", "Ember", "Błaszczyk", "Rudd", "Sims", "Keen")


def fill() -> None:
    """Write rows straight away: what they mean is none of the search's business."""
    from clubs.models import Club, Evening, Player
    from tournaments.models import Entry, EntryPlayer, Event, Session

    club = Club.objects.create(name="Large", slug="large")
    people = Player.objects.bulk_create(
        Player(club=club, name=f"{FIRST[n % 8]} {LAST[n // 8 % 8]} {n}") for n in range(PEOPLE)
    )
    first = date(2026, 3, 10)
    days = [first - timedelta(days=2 * n) for n in range(EVENINGS)]
    events = Event.objects.bulk_create(
        Event(club=club, slug=f"e-{n}", name=f"Club night {n}", date=day)
        for n, day in enumerate(days)
    )
    held = Evening.objects.bulk_create(Evening(club=club, date=day) for day in days)
    Session.objects.bulk_create(
        Session(event=event, evening=evening, number=1)
        for event, evening in zip(events, held, strict=True)
    )
    entries = Entry.objects.bulk_create(
        Entry(event=event, number=n + 1, name=f"Pair {n}")
        for event in events
        for n in range(PAIRS)
    )
    EntryPlayer.objects.bulk_create(
        EntryPlayer(entry=entry, player=people[(2 * n + k) % PEOPLE], order=k)
        for n, entry in enumerate(entries)
        for k in range(2)
    )


def main() -> None:
    """Print a line a query."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DATA_DIR": folder,
            "SECRET_KEY": "bench",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        fill()
        measure()


def measure() -> None:
    """Search, and say how long it took; the first search of a process is among them."""
    from config.search.hits import search_for

    worst = 0.0
    print(f"{'query':20}{'best ms':>9}{'worst ms':>10}{'hits':>6}")
    for query in QUERIES:
        taken, hits = list[float](), len(search_for(query, directs=True))
        for _time in range(TIMES):
            begun = time.process_time()
            hits = sum(len(group.hits) for group in search_for(query, directs=True))
            taken.append(1000 * (time.process_time() - begun))
        worst = max(worst, *taken)
        print(f"{query:20}{min(taken):9.1f}{max(taken):10.1f}{hits:6}")
    print(f"the slowest: {worst:.1f} ms, of {MOST}")


if __name__ == "__main__":
    main()
