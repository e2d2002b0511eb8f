"""Scores to ranks, ranks to rows."""

from collections.abc import Iterable
from fractions import Fraction

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from scoring.methods import Placing
from scoring.methods.tricks import nearest_trick
from scoring.models import Ranking, Standing
from scoring.reckoning.placing import Field, placings
from scoring.reckoning.scores import NOTHING, Scored, scored
from tournaments.models import Entry, Event, Session


@transaction.atomic
def recompute(event: Event) -> Ranking:
    """Bring an event's standings up to date; doing it twice does no more than once.

    The revision is read before the results, so a result that comes in meanwhile leaves the
    standings marked as behind, and the work it queued makes them good.
    """
    Ranking.objects.get_or_create(event=event)
    # Two workers with the same event race here.
    rows = Ranking.objects.select_for_update(of=("self",)).select_related("event__terms")
    ranking = rows.get(event=event)
    event = ranking.event  # on the terms that hold now
    revision = revision_of(event)
    if ranking.computed_at is not None and ranking.revision == revision:
        return ranking
    found = scored(event)
    ranking.standings.all().delete()
    Standing.objects.bulk_create(_standings(ranking, event, found))
    ranking.revision = revision
    ranking.version += 1
    ranking.missing = found.tally.missing
    ranking.provisional = len(found.tally.open_rulings)
    ranking.complete = found.tally.expected > 0 and found.tally.missing == 0
    ranking.computed_at = timezone.now()
    ranking.save()
    return ranking


def revision_of(event: Event) -> int:
    """Count every write that could have changed the event's scores."""
    grown = Session.objects.filter(event=event).aggregate(grown=Sum("revision"))["grown"]
    return int(grown or 0)


def _standings(ranking: Ranking, event: Event, found: Scored) -> Iterable[Standing]:
    ids = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    placed = placings(event, found)
    winners = _winners(placed, found)
    for (section, field), places in placed:
        average = _mean([found.tricks[placing.entry] for placing in places])
        if average is not None and found.method.whole_averages:
            average = Fraction(nearest_trick(average))
        for placing in places:
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
                score=str(placing.score),
                percent=str(found.worth.get(entry, NOTHING)) if found.has_shares else "",
                tricks=str(found.tricks[entry]),
                boards=found.boards.get(entry, 0),
                penalty=_text(found.losses.get(entry)),
                carried=_text(found.carried.get(entry)),
                broken_by=placing.broken_by,
                wins_overall=entry in winners,
            )


def _winners(placed: Iterable[tuple[Field, list[Placing]]], found: Scored) -> set[int]:
    """Name the overall winner: the largest plus over its own field's average (Foster)."""
    if not found.tally.pools:
        return set()
    worth: dict[int, Fraction] = {}
    for _, places in placed:
        own = {it.entry: found.worth.get(it.entry, NOTHING) for it in places}
        level = _mean(list(own.values())) if found.method.name == "tricks" else None
        worth |= {entry: figure - (level or NOTHING) for entry, figure in own.items()}
    best = max(worth.values(), default=None)
    return {entry for entry, figure in worth.items() if figure == best}


def _mean(numbers: list[Fraction]) -> Fraction | None:
    return sum(numbers, Fraction()) / len(numbers) if numbers else None


def _text(figure: Fraction | None) -> str:
    return str(figure) if figure else ""
