"""What the rows hold after a chaos run, against what the tables were told."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

from scoring.models import Ranking, Result, ResultVersion
from scoring.reckoning import standings
from tournaments.models import Event


class Sent(Protocol):
    """An entry as a table remembers it."""

    sitting: int
    board: int
    value: str
    key: str
    acknowledged: bool


def stored(entries: Iterable[Sent]) -> tuple[int, int]:
    """Count the plays whose last acknowledged value is gone, and entries that stand twice.

    A value that was sent later and not answered may stand in its place; none but these may.
    """
    allowed: dict[tuple[int, int], set[str]] = {}
    for sent in entries:
        play = sent.sitting, sent.board
        if sent.acknowledged:
            allowed[play] = {sent.value}
        elif play in allowed:
            allowed[play].add(sent.value)
    found = {(row.sitting_id, row.board): str(row.mark) for row in Result.objects.all()}
    lost = sum(found.get(play) not in values for play, values in allowed.items())
    keys = ResultVersion.objects.exclude(key="").values_list("key", flat=True)
    doubled = sum(1 for count in Counter(keys).values() if count > 1)
    return lost, doubled


def recounted() -> int:
    """Count the events whose standings change when everything is computed anew."""
    wrong = 0
    for event in Event.objects.all():
        before = _rows(event)
        Ranking.objects.filter(event=event).update(revision=0)
        standings.recompute(event)
        wrong += before != _rows(event)
    return wrong


def _rows(event: Event) -> list[dict[str, Any]]:
    ranking = Ranking.objects.filter(event=event).first()
    left_out = ("id", "ranking_id")
    rows = ranking.standings.values() if ranking else []
    found = [{name: row[name] for name in row if name not in left_out} for row in rows]
    return sorted(found, key=lambda row: row["entry_id"])
