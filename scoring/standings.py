"""Rows to lines, lines to scores, scores to ranks, ranks to rows."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from scoring.lines import Seat, Tally, tally
from scoring.methods import Line, Method, Placing, method_for, rank
from scoring.models import Ranking, Standing
from tournaments.models import Entry, Event, Session

FIELD_ORDER = {"NS": 0, "EW": 1, "": 2}


@transaction.atomic
def recompute(event: Event) -> Ranking:
    """Bring an event's standings up to date; doing it twice does no more than once.

    The revision is read before the results, so a result that comes in meanwhile leaves the
    standings marked as behind, and the work it queued makes them good.
    """
    Ranking.objects.get_or_create(event=event)
    # Two workers with the same event race here.
    ranking = Ranking.objects.select_for_update().get(event=event)
    revision = revision_of(event)
    if ranking.computed_at is not None and ranking.revision == revision:
        return ranking
    found = tally(event)
    ranking.standings.all().delete()
    Standing.objects.bulk_create(_standings(ranking, event, found))
    ranking.revision = revision
    ranking.version += 1
    ranking.missing = found.missing
    ranking.complete = found.expected > 0 and found.missing == 0
    ranking.computed_at = timezone.now()
    ranking.save()
    return ranking


def revision_of(event: Event) -> int:
    """Count every write that could have changed the event's scores."""
    grown = Session.objects.filter(event=event).aggregate(grown=Sum("revision"))["grown"]
    return int(grown or 0)


def _standings(ranking: Ranking, event: Event, found: Tally) -> Iterable[Standing]:
    """Rank each field of each section apart, in the order in which they are shown."""
    method = method_for(event.contest, event.method)
    scores = method.score(found.lines)
    worth = method.ranked_by(found.lines) if method.ranked_by else scores
    tricks, boards = _totals(found.lines)
    ids = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    fields = _fields(found.seats)
    winners = _winners({entry: worth.get(entry, Fraction()) for entry in found.seats}, found)
    for (section, field), entries in fields:
        average = _mean([tricks[entry] for entry in entries])
        for placing in rank({entry: worth.get(entry, Fraction()) for entry in entries}):
            entry = placing.entry
            yield Standing(
                ranking=ranking,
                section=section,
                field=field,
                average="" if average is None else str(average),
                entry_id=ids[entry],
                label=found.seats[entry].label,
                rank=placing.rank,
                tied=placing.tied,
                score=str(scores.get(entry, Fraction())),
                percent=_percent(method, placing),
                tricks=str(tricks[entry]),
                boards=boards[entry],
                wins_overall=entry in winners,
            )


def _fields(seats: dict[int, Seat]) -> list[tuple[tuple[str, str], list[int]]]:
    fields: dict[tuple[str, str], list[int]] = defaultdict(list)
    for entry, seat in seats.items():
        fields[seat.section, seat.field].append(entry)
    return sorted(fields.items(), key=lambda item: (item[0][0], FIELD_ORDER[item[0][1]]))


def _winners(worth: dict[int, Fraction], found: Tally) -> set[int]:
    """Name the overall winner: the largest plus over its own field's average (Foster)."""
    if not found.lines or not worth:
        return set()
    best = max(worth.values())
    return {entry for entry, score in worth.items() if score == best}


def _totals(lines: Iterable[Line]) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Add up each entry's tricks and count its boards."""
    tricks: dict[int, Fraction] = defaultdict(Fraction)
    boards: dict[int, int] = defaultdict(int)
    for line in lines:
        for entries, taken in ((line.ns, line.ns_tricks), (line.ew, line.ew_tricks)):
            for entry in entries:
                tricks[entry] += taken or 0
                boards[entry] += 1
    return tricks, boards


def _mean(numbers: list[Fraction]) -> Fraction | None:
    return sum(numbers, Fraction()) / len(numbers) if numbers else None


def _percent(method: Method, placing: Placing) -> str:
    return str(placing.score) if method.ranked_by else ""
