"""The rubber nights of a season as a ladder sees them: closed, listed, each with its standing.

Who belonged to a table and never sat down with a hand was not in it: nobody is placed with him.
A night is reckoned once for each of its revisions, so a correction shows at the next look.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from uuid import UUID

from clubs.models import Player
from rubbers.held import read_night
from rubbers.models import RubberNight, RubberPlayer
from rubbers.rubber.night import Tally, combined
from seasons.ladders.models import Season
from seasons.ladders.rules import LadderEntry, LadderEvening
from seasons.ladders.rules.evenings import RUBBERS

KEPT_NIGHTS = 600
"""Nights whose standing is kept at hand: ten years of one a week."""
OF_NIGHT = "rubbers-"
"""What the key of a night begins with, for an event may have the same slug."""
ONE = 1
"""A night is one thing played, however many hands a table had time for."""


def nights_of(season: Season) -> list[RubberNight]:
    """The closed rubber nights of a season."""
    days = (season.first_day, season.last_day)
    rows = RubberNight.objects.listed().filter(club=season.club_id, evening__date__range=days)
    return list(rows.filter(state=RubberNight.State.CLOSED).select_related("evening"))


def night_evenings(season: Season) -> Iterable[LadderEvening]:
    """Read the closed nights of a season; who has no page in the club keeps his place alone."""
    nights = nights_of(season)
    holders = RubberPlayer.objects.filter(night__in=nights, player__isnull=False)
    people = {
        (night, number): (player, kind == Player.Kind.VISITOR)
        for night, number, player, kind in holders.values_list(
            "night", "number", "player", "player__kind"
        )
    }
    for each in nights:
        found = []
        for tally in _standing(each.pk, each.uid, each.revision):
            known = people.get((each.pk, int(tally.player)))
            found.append(_entry(tally, known))
        yield LadderEvening(
            key=f"{OF_NIGHT}{each.slug}",
            day=each.date.isoformat(),
            entries=tuple(found),
            contest=RUBBERS,
            name=each.name,
        )


def _entry(tally: Tally, known: tuple[int, bool] | None) -> LadderEntry:
    player, is_visitor = known or (0, False)
    return LadderEntry(
        people=(player,) if known else (),
        score=Fraction(tally.points),
        boards=ONE,
        visitors=frozenset({player} if is_visitor else ()),
        place=tally.rank,
        place_stands=True,
        number=int(tally.player),
    )


def night_slug(evening: LadderEvening) -> str:
    """The slug of the rubber night that an evening is; "" for any other."""
    if evening.contest != RUBBERS or evening.is_from_elsewhere:
        return ""
    return evening.key.removeprefix(OF_NIGHT)


@lru_cache(maxsize=KEPT_NIGHTS)
def _standing(pk: int, _uid: UUID, _revision: int) -> tuple[Tally, ...]:
    """How everybody who played stood; the key and the revision name what was counted."""
    nights = RubberNight.objects.select_related("club", "evening", "drive")
    held = read_night(nights.get(pk=pk))
    played = {
        name
        for table in held.tables.values()
        for spell in table.night.spells
        if spell.hands
        for pair in spell.sides.values()
        for name in pair
    }
    return tuple(combined([[each for each in held.standing if each.player in played]]))
