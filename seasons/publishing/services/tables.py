"""The tables of evenings as files, kept while what they are made of is the same.

Ten years of tables take a minute to make and a few seconds to hand out. What is kept says what
it was made of: the event's public version (`server.public_versions`), the version of its
standings and of its results, the names as they are written, and whether its cards may be told.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from django.db import transaction
from django.utils.translation import get_language

from boards.models import Board
from exchange.results.reading import read_results
from exchange.results.tables import TableFile, table_files
from scoring.models import Ranking
from scoring.reckoning import standings
from seasons.publishing.models import EventTables
from server.public_versions import read_versions
from server.version import VERSION
from tournaments.models import Entry, EntryPlayer, Event, Session

FORM = 1
"""Raised when tables get other columns within a version of the program."""
EVENINGS_A_QUERY = 40
"""So many evenings are asked for at once: questions grow slowly, memory not at all."""


Files = Mapping[str, TableFile]


def evening_files(events: Sequence[Event], *, in_full: bool) -> Iterator[tuple[Event, Files]]:
    """Give the tables of evenings one after the other: kept ones, or made and kept now."""
    for first in range(0, len(events), EVENINGS_A_QUERY):
        some = events[first : first + EVENINGS_A_QUERY]
        stamps = stamps_of(some, in_full=in_full)
        wanted = EventTables.objects.filter(event__in=some, stamp__in=stamps.values())
        kept = dict(wanted.values_list("event", "body"))
        for event in some:
            body = kept.get(event.pk)
            if body is None:
                yield event, _made(event, in_full=in_full)
            else:
                yield event, _read(bytes(body))


def keep_tables(event: Event) -> None:
    """Make the tables of an evening with whole names, unless they lie there already."""
    stamp = stamps_of([event], in_full=True)[event.pk]
    if not EventTables.objects.filter(event=event, stamp=stamp).exists():
        _made(event, in_full=True)


def stamps_of(events: Sequence[Event], *, in_full: bool) -> dict[int, str]:
    """Say what the tables of events are made of now; a fixed number of questions.

    Where nobody is hidden, those with whole names are those that everybody may read.
    """
    keys = [event.pk for event in events]
    at = read_versions(event.audit_key for event in events)
    versions = dict(Ranking.objects.filter(event__in=keys).values_list("event", "version"))
    names, told = _names(keys, in_full=in_full), _told(keys)
    found = {}
    for event in events:
        made_of = [
            *(FORM, VERSION, get_language(), str(event.uid), event.name),
            *(at[event.audit_key], versions.get(event.pk)),
            *(names[event.pk], told[event.pk]),
        ]
        found[event.pk] = sha256(json.dumps(made_of).encode()).hexdigest()
    return found


def _names(events: Sequence[int], *, in_full: bool) -> dict[int, list[object]]:
    people: dict[int, list[tuple[str, str]]] = defaultdict(list)
    members = EntryPlayer.objects.filter(entry__event__in=events).select_related("player")
    for each in members.order_by("entry", "pk"):
        shown = each.player.shown_name
        people[each.entry_id].append((each.player.name if in_full else shown, shown))
    found: dict[int, list[object]] = defaultdict(list)
    entries = Entry.objects.filter(event__in=events).order_by("event", "number")
    for event, pk, number, name in entries.values_list("event", "pk", "number", "name"):
        found[event].append((number, name, people[pk]))
    return found


def _told(events: Sequence[int]) -> dict[int, list[object]]:
    """Of each session its results' revision, its cards, and whether they are still played.

    Cards wait for the last session that plays them.
    """
    found: dict[int, list[object]] = defaultdict(list)
    rows = Session.objects.filter(event__in=events).order_by("event", "number")
    columns = ("event", "number", "state", "revision", "board_set")
    sessions = list(rows.values_list(*columns))
    sets = {board_set for *_rest, board_set in sessions if board_set is not None}
    awaited = Session.objects.filter(board_set__in=sets).exclude(state=Session.State.CLOSED)
    waiting = set(awaited.values_list("board_set", flat=True))
    deals: dict[int | None, list[int]] = defaultdict(
        list
    )  # another event may have put one right
    current = Board.objects.current().filter(board_set__in=sets).order_by("pk")
    for board_set, pk in current.values_list("board_set", "pk"):
        deals[board_set].append(pk)
    for event, number, state, revision, board_set in sessions:
        is_awaited = board_set in waiting
        found[event].append((number, state, revision, is_awaited, deals[board_set]))
    return found


def _made(event: Event, *, in_full: bool) -> Files:
    standings.recompute(event)  # first: what is read after a stamp is at least as new as it
    stamp = stamps_of([event], in_full=in_full)[event.pk]
    found = table_files(read_results(event, in_full=in_full))
    text = json.dumps({name: [each.keys, each.csv.decode()] for name, each in found.items()})
    other = stamps_of([event], in_full=not in_full)[event.pk]
    with transaction.atomic():
        EventTables.objects.filter(event=event).exclude(stamp__in=(stamp, other)).delete()
        EventTables.objects.update_or_create(
            event=event, stamp=stamp, defaults={"body": zlib.compress(text.encode())}
        )
    return found


def _read(body: bytes) -> Files:
    kept = json.loads(zlib.decompress(body))
    return {name: TableFile(tuple(keys), text.encode()) for name, (keys, text) in kept.items()}
