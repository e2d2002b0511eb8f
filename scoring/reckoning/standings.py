"""From scores to ranks to rows: the standings for directors and for the public."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from scoring.methods import Placing
from scoring.models import Ranking, Standing
from scoring.reckoning.apart import counted_apart
from scoring.reckoning.averages import telling_average
from scoring.reckoning.lines import EventLines
from scoring.reckoning.placing import Field, placings
from scoring.reckoning.scores import NOTHING, Scored, is_level, score
from scoring.reckoning.seats import seats_of
from server.public_versions import bump_version
from tournaments.models import Entry, Event, Section, Session
from tournaments.movements.drawn_rounds import DRAWN_KEY, count_planned_rounds


@transaction.atomic
def recompute(event: Event) -> Ranking:
    """Update an event's standings; idempotent.

    The revision is read before the results. So a result entered during the computation leaves
    the standings marked as out of date, and the job it queued computes them again.
    """
    ranking = _locked(event)
    event = ranking.event  # with its current terms
    revision = revision_of(event)
    if ranking.public_version and ranking.revision == revision:
        return ranking
    (whole, seen), seats = counted_apart(event), seats_of(event)
    ids = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    _write(
        ranking,
        [
            {"entry_id": ids[entry], **figures}
            for entry, figures in _rows(event, score(event, whole, seats))
        ],
    )
    ranking.revision = revision
    ranking.version += 1
    public = None if seen is None else _public(event, score(event, seen, seats))
    if public is None or public != ranking.public:
        ranking.public_version = ranking.version
    ranking.public = public
    for name, figure in _progress(event, whole).items():
        setattr(ranking, name, figure)
    ranking.computed_at = timezone.now()
    ranking.save()
    bump_version(event.audit_key)
    return ranking


def _locked(event: Event) -> Ranking:
    """Lock an event's ranking row, creating it if needed: two workers may compute one event."""
    locked = Ranking.objects.select_for_update(of=("self",)).filter(event=event)
    ranking = locked.select_related("event__terms", "event__final__stage").first()
    if ranking is None:
        Ranking.objects.bulk_create([Ranking(event_id=event.pk)], ignore_conflicts=True)
        return _locked(event)
    prefetch_related_objects([ranking], "event__sessions")
    return ranking


def _write(ranking: Ranking, wanted: list[dict[str, Any]]) -> None:
    """Replace the rows of a ranking that differ, in this order; equal rows are not touched.

    The order of rows is that of their keys. A changed row is deleted and created with the same
    key, so in a large event a new result rewrites only its own section.
    """
    names = ("entry_id", *(wanted[0] if wanted else ()))
    standing = list(ranking.standings.order_by("pk").values("pk", *dict.fromkeys(names)))
    if len(standing) != len(wanted):
        ranking.standings.all().delete()
        Standing.objects.bulk_create(Standing(ranking=ranking, **each) for each in wanted)
        return
    changed = {
        row["pk"]: each
        for row, each in zip(standing, wanted, strict=True)
        if any(row[name] != value for name, value in each.items())
    }
    ranking.standings.filter(pk__in=changed).delete()
    Standing.objects.bulk_create(
        Standing(pk=pk, ranking=ranking, **each) for pk, each in changed.items()
    )


def revision_of(event: Event) -> int:
    """Return the number of writes that could have changed the event's scores."""
    return sum(Session.objects.filter(event=event).values_list("revision", flat=True))


def _public(event: Event, found: Scored) -> dict[str, Any]:
    """Return the public standings as JSON, for the time while some results are hidden."""
    rows = [{"entry": entry, **figures} for entry, figures in _rows(event, found)]
    return {"rows": rows, **_progress(event, found.tally)}


def _progress(event: Event, found: EventLines) -> dict[str, Any]:
    """Return the progress of the results, as fields of `Ranking`."""
    are_in = found.expected > 0 and found.missing == 0
    return {
        "missing": found.missing,
        "provisional": len(found.open_rulings),
        "complete": are_in and not has_undrawn_rounds(event),
    }


def has_undrawn_rounds(event: Event) -> bool:
    """Return whether an open session has a planned round that is not drawn yet."""
    drawn = Section.objects.filter(
        session__event=event, session__state=Session.State.OPEN, movement=DRAWN_KEY
    ).values_list("options", "rounds")
    return any(rounds < count_planned_rounds(options, rounds) for options, rounds in drawn)


def _rows(event: Event, found: Scored) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each entry's number with the fields of its `Standing`."""
    placed = placings(event, found)
    winners = _winners(event, placed, found)
    for (section, field), places in placed:
        entries = [placing.entry for placing in places]
        average = telling_average(found, field, entries)
        for placing in places:
            entry = placing.entry
            yield (
                entry,
                {
                    "section": section,
                    "field": field,
                    "average": "" if average is None else str(average),
                    "label": found.seats[entry].label,
                    "rank": placing.rank,
                    "tied": placing.tied,
                    "score": str(placing.score),
                    "percent": str(found.worth.get(entry, NOTHING)) if found.has_shares else "",
                    "tricks": str(found.tricks[entry]),
                    "boards": found.boards.get(entry, 0),
                    "penalty": _text(found.losses.get(entry)),
                    "carried": _text(found.carried.get(entry)),
                    "broken_by": placing.broken_by,
                    "wins_overall": entry in winners,
                    "corrected": _a_board(found.corrected, entry),
                    "a_board": _a_board(found.a_board, entry),
                },
            )


def _winners(
    event: Event, placed: Iterable[tuple[Field, list[Placing]]], found: Scored
) -> set[int]:
    """Return the overall winners: the largest plus over the own field's average (Foster).

    Before the end there are winners only if all entries played equal numbers of boards.
    """
    if not found.tally.pools or not (_is_over(event, found) or _compares(found)):
        return set()
    worth: dict[int, Fraction] = {}
    for _, places in placed:
        own = {it.entry: found.worth.get(it.entry, NOTHING) for it in places}
        level = _mean(list(own.values())) if found.method.is_total else None
        worth |= {entry: figure - (level or NOTHING) for entry, figure in own.items()}
    best = max(worth.values(), default=None)
    return {entry for entry, figure in worth.items() if figure == best}


def _is_over(event: Event, found: Scored) -> bool:
    is_closed = all(it.state == Session.State.CLOSED for it in event.sessions.all())
    return is_closed and not found.tally.missing


def _compares(found: Scored) -> bool:
    return is_level(found.boards, found.seats)


def _mean(numbers: list[Fraction]) -> Fraction | None:
    return sum(numbers, Fraction()) / len(numbers) if numbers else None


def _a_board(scores: Mapping[int, Fraction], entry: int) -> str:
    return str(scores.get(entry, NOTHING)) if scores else ""


def _text(figure: Fraction | None) -> str:
    return str(figure) if figure else ""
