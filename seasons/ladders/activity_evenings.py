"""The drives and rubber nights of a season, ranked for its ladders.

Only closed and publicly listed drives and nights count. Each ranking is cached by the revision
of the drive or night. A correction changes the revision, which makes the cached ranking stale.
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
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from rubbers.models import RubberNight, RubberPlayer
from rubbers.rubber.night import rank_members_of_tables
from rubbers.snapshot import load_night
from seasons.ladders.models import Season
from seasons.ladders.rules import LadderEntry, LadderEvening

MAX_CACHED_RANKINGS = 1200
"""The maximum number of cached rankings: ten years of a drive and a rubber night each week."""


@dataclass(frozen=True, slots=True)
class RankedActivityPlayer:
    """The score and rank of a player in a drive or rubber night, with the player's number."""

    player_number: int
    score: Fraction
    rank: int
    board_count: int = 1  # the hands in the player's rounds of a drive; 1 for a rubber night
    tricks: Fraction | None = None


def list_closed_activities(model: type[EveningActivity], season: Season) -> list[Any]:
    """Return the closed and listed drives or rubber nights of a season."""
    season_days = (season.first_day, season.last_day)
    manager: Any = model._default_manager
    activities = manager.exclude_hidden().filter(
        club=season.club_id, evening__date__range=season_days
    )
    return list(activities.filter(state=model.State.CLOSED).select_related("evening"))


def iter_activity_evenings(season: Season) -> Iterable[LadderEvening]:
    """Yield the closed drives and rubber nights of a season as evenings for its ladders.

    A participant who is not linked to a player of the club has a rank but no line in the
    ladder.
    """
    for model, player_model, _rank_activity in ACTIVITY_KINDS:
        closed_activities = list_closed_activities(model, season)
        player_manager: Any = player_model._default_manager
        player_rows = player_manager.filter(
            **{f"{model.argument_name}__in": closed_activities}, player__isnull=False
        )
        linked_players_by_number = {
            (activity_pk, player_number): (player_pk, player_kind == Player.Kind.VISITOR)
            for activity_pk, player_number, player_pk, player_kind in player_rows.values_list(
                model.argument_name, "number", "player", "player__kind"
            )
        }
        for activity in closed_activities:
            ranked_players = _load_ranking(model, activity.pk, activity.uid, activity.revision)
            yield LadderEvening(
                key=f"{model.kind}-{activity.slug}",
                day=activity.date.isoformat(),
                entries=tuple(
                    _build_ladder_entry(
                        ranked_player,
                        linked_players_by_number.get(
                            (activity.pk, ranked_player.player_number)
                        ),
                    )
                    for ranked_player in ranked_players
                ),
                contest=model.kind,
                name=activity.name,
                game_code=activity.score.get("game", "") if isinstance(activity, Drive) else "",
            )


def find_activity_slug(model: type[EveningActivity], evening: LadderEvening) -> str:
    """Return the slug of the drive or night; "" if the evening is of another kind."""
    if evening.contest != model.kind or evening.is_imported:
        return ""
    return evening.key.removeprefix(f"{model.kind}-")


def _build_ladder_entry(
    ranked_player: RankedActivityPlayer, player_pk_and_is_visitor: tuple[int, bool] | None
) -> LadderEntry:
    player_pk, is_visitor = player_pk_and_is_visitor or (0, False)
    return LadderEntry(
        person_pks=(player_pk,) if player_pk_and_is_visitor else (),
        score=ranked_player.score,
        board_count=ranked_player.board_count,
        visitor_pks=frozenset({player_pk} if is_visitor else ()),
        tricks=ranked_player.tricks,
        place=ranked_player.rank,
        is_handicap_exempt=True,
        entry_number=ranked_player.player_number,
    )


@lru_cache(maxsize=MAX_CACHED_RANKINGS)
def _load_ranking(
    model: type[EveningActivity], pk: int, _uid: UUID, _revision: int
) -> tuple[RankedActivityPlayer, ...]:
    """Rank a drive or a night. The unused uid and revision are part of the cache key."""
    rank_activity = next(
        rank_activity
        for activity_model, _player_model, rank_activity in ACTIVITY_KINDS
        if activity_model is model
    )
    return tuple(rank_activity(pk))


def _rank_drive_players(pk: int) -> Iterable[RankedActivityPlayer]:
    drive = Drive.objects.select_related("club", "evening").get(pk=pk)
    snapshot, is_scored_in_tricks = (
        load_drive_snapshot(drive),
        drive.score.get("kind") == ScoreKind.TRICKS,
    )
    for ranked_player in snapshot.scores.ranking:
        if isinstance(ranked_player.number, int):
            hand_count = _count_hands(snapshot, ranked_player.number)
            tricks = ranked_player.points if is_scored_in_tricks else None
            yield RankedActivityPlayer(
                ranked_player.number,
                ranked_player.points,
                ranked_player.rank,
                hand_count,
                tricks,
            )


def _count_hands(snapshot: DriveSnapshot, player_number: int) -> int:
    """Return the number of hands in the rounds in which a player was present.

    Rounds that the player sat out are included.
    """
    player, final_round_number = (
        snapshot.player_by_number[player_number],
        max(_find_last_round_number(snapshot), 1),
    )
    last_round_number = (
        final_round_number
        if player.to_round is None
        else min(player.to_round, final_round_number)
    )
    return snapshot.drive.hands * max(0, last_round_number - player.from_round + 1)


def _find_last_round_number(snapshot: DriveSnapshot) -> int:
    """Return the number of the last round played, as a drive may end early.

    A scorecard does not list single rounds. If scorecards were entered, the result is the
    planned number of rounds.
    """
    scored_round_numbers = [
        round_number
        for round_number, round_ in snapshot.round_by_number.items()
        if round_.has_any_score
    ]
    return (
        snapshot.planned_round_count
        if snapshot.scores.cards or not scored_round_numbers
        else max(scored_round_numbers)
    )


def _rank_rubber_evening(pk: int) -> Iterable[RankedActivityPlayer]:
    """Rank the members of a rubber night who played at least one hand."""
    nights = RubberNight.objects.select_related("club", "evening", "drive")
    snapshot = load_night(nights.get(pk=pk))
    playing_numbers = {
        number_text
        for table in snapshot.tables.values()
        for spell in table.night.spells
        if spell.hands
        for partners in spell.sides.values()
        for number_text in partners
    }
    for totals in rank_members_of_tables(
        [
            [
                member_totals
                for member_totals in snapshot.standings
                if member_totals.player_key in playing_numbers
            ]
        ]
    ):
        yield RankedActivityPlayer(int(totals.player_key), Fraction(totals.points), totals.rank)


ACTIVITY_KINDS: tuple[
    tuple[
        type[EveningActivity],
        type[ActivityPlayer],
        Callable[[int], Iterable[RankedActivityPlayer]],
    ],
    ...,
] = (
    (Drive, DrivePlayer, _rank_drive_players),
    (RubberNight, RubberPlayer, _rank_rubber_evening),
)
"""The activity models, each with its player model and the function that ranks an activity."""
