"""The drives and rubber nights of a season as a ladder sees them: closed, listed, ranked."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from uuid import UUID

from clubs.models import Player
from drives.held import HeldDrive, read_drive
from drives.models import Drive, DrivePlayer
from drives.scores.rules import Kind
from rubbers.held import read_night
from rubbers.models import RubberNight, RubberPlayer
from rubbers.rubber.night import Tally, combined
from seasons.ladders.models import Season
from seasons.ladders.rules import LadderEntry, LadderEvening
from seasons.ladders.rules.evenings import DRIVE, RUBBERS

KEPT_DRIVES = 600
"""Drives whose ranking is kept at hand: ten years of one a week."""
OF_DRIVE = "drive-"
"""What the key of a drive begins with, for an event may have the same slug."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A card's place in its drive; `hands` are those of the rounds that it was there for."""

    number: int
    total: Fraction
    rank: int
    hands: int


def drives_of(season: Season) -> list[Drive]:
    """The closed drives of a season."""
    days = (season.first_day, season.last_day)
    rows = Drive.objects.listed().filter(club=season.club_id, evening__date__range=days)
    return list(rows.filter(state=Drive.State.CLOSED).select_related("evening"))


def drive_evenings(season: Season) -> Iterable[LadderEvening]:
    """Read the closed drives of a season; who has no page in the club keeps his place alone."""
    drives = drives_of(season)
    if not drives:
        return
    people: dict[int, dict[int, tuple[int, bool]]] = defaultdict(dict)
    holders = DrivePlayer.objects.filter(drive__in=drives, player__isnull=False)
    for drive, number, player, kind in holders.values_list(
        "drive", "number", "player", "player__kind"
    ):
        people[drive][number] = player, kind == Player.Kind.VISITOR
    for each in drives:
        is_tricks = each.score.get("kind") == Kind.TRICKS
        yield LadderEvening(
            key=f"{OF_DRIVE}{each.slug}",
            day=each.date.isoformat(),
            entries=tuple(_entries(each, people[each.pk], is_tricks=is_tricks)),
            contest=DRIVE,
            name=each.name,
        )


def drive_slug(evening: LadderEvening) -> str:
    """The slug of the drive that an evening is; "" for any other."""
    if evening.contest != DRIVE or evening.is_from_elsewhere:
        return ""
    return evening.key.removeprefix(OF_DRIVE)


def _entries(
    drive: Drive, people: dict[int, tuple[int, bool]], *, is_tricks: bool
) -> Iterable[LadderEntry]:
    for ranked in _ranking(drive.pk, drive.uid, drive.revision):
        known: Collection[tuple[int, bool]] = (
            [people[ranked.number]] if ranked.number in people else []
        )
        yield LadderEntry(
            people=tuple(player for player, _is_visitor in known),
            score=ranked.total,
            boards=ranked.hands,
            visitors=frozenset(player for player, is_visitor in known if is_visitor),
            tricks=ranked.total if is_tricks else None,
            place=ranked.rank,
            place_stands=True,
            number=ranked.number,
        )


@lru_cache(maxsize=KEPT_DRIVES)
def _ranking(pk: int, _uid: UUID, _revision: int) -> tuple[Ranked, ...]:
    """Rank a drive; the key and the revision name what was counted."""
    held = read_drive(Drive.objects.select_related("club", "evening").get(pk=pk))
    return tuple(
        Ranked(each.number, each.points, each.rank, _hands(held, each.number))
        for each in held.scores.ranking
        if isinstance(each.number, int)
    )


def _hands(held: HeldDrive, number: int) -> int:
    """The hands of the rounds for which somebody was there; his rests among them."""
    player, last = held.players[number], max(_last(held), 1)
    to = last if player.to_round is None else min(player.to_round, last)
    return held.drive.hands * max(0, to - player.from_round + 1)


def _last(held: HeldDrive) -> int:
    """The last round that was played: an evening may end before its plan.

    Cards do not tell how many rounds are on them, so with them the plan stands.
    """
    scored = [number for number, each in held.rounds.items() if each.is_scored]
    return held.planned if held.scores.cards or not scored else max(scored)


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
