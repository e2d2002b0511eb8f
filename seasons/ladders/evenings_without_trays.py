"""The drives and rubber nights of a season, ranked for its ladders.

Only closed and publicly listed ones count. Each ranking is cached by the revision of the drive
or night. A correction changes the revision, so the next request computes the ranking again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any
from uuid import UUID

from clubs.activities.models import ActivityPlayer, EveningActivity
from clubs.models import Player
from drives.models import Drive, DrivePlayer
from drives.scores.rules import ScoreKind
from drives.snapshot import DriveSnapshot, load_drive
from rubbers.models import RubberNight, RubberPlayer
from rubbers.rubber.night import rank_tables_together
from rubbers.snapshot import load_night
from seasons.ladders.models import Season
from seasons.ladders.rules import LadderEntry, LadderEvening

MAX_RANKINGS = 1200
"""The maximum number of cached rankings.

It is enough for ten years of one drive and one rubber night a week.
"""


@dataclass(frozen=True, slots=True)
class RankedNumber:
    """The result of one player number of a drive or rubber night: score and rank."""

    number: int
    score: Fraction
    rank: int
    boards: int = 1  # hands in the player's rounds of a drive; 1 for a night
    tricks: Fraction | None = None


def list_closed_activities(model: type[EveningActivity], season: Season) -> list[Any]:
    """Return the closed and listed drives or rubber nights of a season."""
    days = (season.first_day, season.last_day)
    manager: Any = model._default_manager
    rows = manager.exclude_hidden().filter(club=season.club_id, evening__date__range=days)
    return list(rows.filter(state=model.State.CLOSED).select_related("evening"))


def iter_activity_evenings(season: Season) -> Iterable[LadderEvening]:
    """Yield the closed drives and rubber nights of a season as evenings for its ladders.

    A participant who is not linked to a player of the club has a rank but no line in the
    ladder.
    """
    for model, players, _rank in ACTIVITY_KINDS:
        closed = list_closed_activities(model, season)
        holders: Any = players._default_manager
        rows = holders.filter(**{f"{model.argument}__in": closed}, player__isnull=False)
        people = {
            (of, number): (player, kind == Player.Kind.VISITOR)
            for of, number, player, kind in rows.values_list(
                model.argument, "number", "player", "player__kind"
            )
        }
        for activity in closed:
            ranking = _load_ranking(model, activity.pk, activity.uid, activity.revision)
            yield LadderEvening(
                key=f"{model.kind}-{activity.slug}",
                day=activity.date.isoformat(),
                entries=tuple(
                    _build_ladder_entry(
                        ranked_number, people.get((activity.pk, ranked_number.number))
                    )
                    for ranked_number in ranking
                ),
                contest=model.kind,
                name=activity.name,
                game=activity.score.get("game", "") if isinstance(activity, Drive) else "",
            )


def find_activity_slug(model: type[EveningActivity], evening: LadderEvening) -> str:
    """Return the slug of the evening's drive or night; "" if it is not of this model."""
    if evening.contest != model.kind or evening.is_from_elsewhere:
        return ""
    return evening.key.removeprefix(f"{model.kind}-")


def _build_ladder_entry(
    ranked_number: RankedNumber, membership: tuple[int, bool] | None
) -> LadderEntry:
    player, is_visitor = membership or (0, False)
    return LadderEntry(
        people=(player,) if membership else (),
        score=ranked_number.score,
        boards=ranked_number.boards,
        visitors=frozenset({player} if is_visitor else ()),
        tricks=ranked_number.tricks,
        place=ranked_number.rank,
        place_stands=True,
        number=ranked_number.number,
    )


@lru_cache(maxsize=MAX_RANKINGS)
def _load_ranking(
    model: type[EveningActivity], pk: int, _uid: UUID, _revision: int
) -> tuple[RankedNumber, ...]:
    """Rank a drive or a night; the unused uid and revision are part of the cache key."""
    rank = next(
        rank for activity_model, _players, rank in ACTIVITY_KINDS if activity_model is model
    )
    return tuple(rank(pk))


def _rank_drive(pk: int) -> Iterable[RankedNumber]:
    drive = Drive.objects.select_related("club", "evening").get(pk=pk)
    snapshot, is_tricks = load_drive(drive), drive.score.get("kind") == ScoreKind.TRICKS
    for ranked in snapshot.scores.ranking:
        if isinstance(ranked.number, int):
            hands = _count_hands(snapshot, ranked.number)
            tricks = ranked.points if is_tricks else None
            yield RankedNumber(ranked.number, ranked.points, ranked.rank, hands, tricks)


def _count_hands(snapshot: DriveSnapshot, number: int) -> int:
    """Return the number of hands in the rounds in which a player was present.

    Rounds that the player sat out are included.
    """
    player, last = snapshot.players[number], max(_find_last_round(snapshot), 1)
    last_round = last if player.to_round is None else min(player.to_round, last)
    return snapshot.drive.hands * max(0, last_round - player.from_round + 1)


def _find_last_round(snapshot: DriveSnapshot) -> int:
    """Return the number of the last round played, because a drive may end early.

    If scorecards were entered, return the planned number of rounds: a scorecard does not list
    single rounds.
    """
    scored = [number for number, round_ in snapshot.rounds.items() if round_.is_scored]
    return snapshot.planned_round_count if snapshot.scores.cards or not scored else max(scored)


def _rank_night(pk: int) -> Iterable[RankedNumber]:
    """Rank the members of a rubber night who played at least one hand."""
    nights = RubberNight.objects.select_related("club", "evening", "drive")
    snapshot = load_night(nights.get(pk=pk))
    played = {
        name
        for table in snapshot.tables.values()
        for spell in table.night.spells
        if spell.hands
        for pair in spell.sides.values()
        for name in pair
    }
    for totals in rank_tables_together(
        [[standing for standing in snapshot.standings if standing.player in played]]
    ):
        yield RankedNumber(int(totals.player), Fraction(totals.points), totals.rank)


ACTIVITY_KINDS: tuple[
    tuple[type[EveningActivity], type[ActivityPlayer], Callable[[int], Iterable[RankedNumber]]],
    ...,
] = ((Drive, DrivePlayer, _rank_drive), (RubberNight, RubberPlayer, _rank_night))
"""The activity models, each with its player model and the function that ranks an activity."""
