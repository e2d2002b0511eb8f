"""The terms by which rubbers are scored. Source: rules W1–W10, W15.

Each difference between the books is a term, because a club may change any of them: "A club may
make its own rules for scoring" (American Whist League, rule 40).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from django.utils.translation import gettext as _

from rubbers.rubber.errors import UnplayableHand
from rubbers.rubber.hands import Penalty
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    map_keys_by_field,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPath, UnreadableJson, format_value
from server.json_reader.values import build_whole_number_reader

MAX_GAME_POINTS = 100
MAX_GAMES_PER_RUBBER = 9


class GameValueRule(StrEnum):
    """The rule for the points that the winners of a game get."""

    TREBLE = "treble"
    """Three points if the losers have no score, two if they have less than half of the points
    that win a game, else one.
    """
    MARGIN = "margin"
    """The points that win a game minus the losers' score."""
    GAMES = "games"
    """Games are only counted; they have no points."""


class FirstScoredItem(StrEnum):
    """Whether tricks or honours are scored first, after the revokes."""

    TRICKS = "tricks"
    HONOURS = "honours"


class BothSidesRevokeRule(StrEnum):
    """The rule for revokes of both sides in one hand."""

    EACH = "each"
    """Each revoke has a penalty."""
    CANCEL = "cancel"
    """A revoke of one side cancels a revoke of the other side; only further revokes have a
    penalty.
    """


class UnfinishedRule(StrEnum):
    """The rule for the value of a rubber that is not finished at closing time."""

    DIFFERENCE = "difference"
    """The value of one side's games minus the value of the other side's games; no bonus."""
    VOID = "void"
    """An unfinished rubber has no value."""


class ReplacementUnit(StrEnum):
    """The unit of play after which a waiting member replaces a player."""

    RUBBER = "rubber"
    GAME = "game"


Points = Annotated[int, build_whole_number_reader(0, MAX_GAME_POINTS)]


def _read_max_game_count(value: Any, json_path: JsonPath) -> Any:
    """Read the maximum number of games in a rubber, which must be an odd number."""
    game_count = build_whole_number_reader(1, MAX_GAMES_PER_RUBBER)(value, json_path)
    if game_count and game_count % 2 == 0:
        return json_path.report(
            _("enter an odd number from 1 to %(most)s, or null."), most=MAX_GAMES_PER_RUBBER
        )
    return game_count


def _read_penalties(value: Any, json_path: JsonPath) -> Any:
    """Read the penalties from which the other side may choose; report duplicates."""
    penalties = build_list_reader(Penalty, min_length=1)(value, json_path)
    report_duplicates(
        (json_path.get_item_path(index), penalty)
        for index, penalty in enumerate(penalties or ())
    )
    return penalties


@dataclass(frozen=True, kw_only=True)
class RubberTerms:
    """All terms of scoring; none has a default, because each code of laws sets all of them.

    A `JsonKey` is the name of the term in files, the database and the API.
    """

    points_per_game: Annotated[
        int, JsonKey("game"), build_whole_number_reader(1, MAX_GAME_POINTS)
    ]
    """The points that win a game."""
    points_per_trick: Annotated[
        int, JsonKey("trick"), build_whole_number_reader(0, MAX_GAME_POINTS)
    ]
    """The points for each trick over six."""
    four_honours: Points
    """The points for all four honours; 0 if honours do not count."""
    three_honours: Points
    """The points for three honours; 0 if honours do not count."""
    honours_bar: Annotated[int | None, build_whole_number_reader(0, MAX_GAME_POINTS)]
    """A side that has at least this score before a hand scores no honours in the hand."""
    first_scored_item: Annotated[FirstScoredItem, JsonKey("first")]
    game_value_rule: Annotated[GameValueRule, JsonKey("worth")]
    best_of: Annotated[int | None, _read_max_game_count]
    """The maximum number of games in a rubber; None if no rubbers are played."""
    rubber_bonus: Annotated[
        int, JsonKey("bonus"), build_whole_number_reader(0, MAX_GAME_POINTS)
    ]
    """The points that the winners of a rubber get in addition to the values of their games."""
    subtracts_losers_games: Annotated[bool, JsonKey("losers_off")]
    """Whether the value of the losers' games is subtracted from the points of the rubber."""
    penalties: Annotated[tuple[Penalty, ...], _read_penalties]
    """The penalties from which the other side may choose."""
    penalty_tricks: Annotated[int, build_whole_number_reader(0, 13)]
    """The tricks that one revoke costs, if the penalty is tricks."""
    penalty_points: Points
    """The points that one revoke costs, if the penalty is points."""
    can_revokers_win: Annotated[bool, JsonKey("revokers_may_win")]
    """Whether a side that revoked can win the game with this hand. If not, it gets at most one
    point less than it needs to win.
    """
    both_sides_revoke_rule: Annotated[BothSidesRevokeRule, JsonKey("both_revoke")]
    should_score_made_tricks: Annotated[bool, JsonKey("made_tricks_count")]
    """Whether a side that revoked scores its tricks even if the penalty decides the game."""
    honours_calling_score: Annotated[
        int | None, JsonKey("calling_at"), build_whole_number_reader(1, MAX_GAME_POINTS)
    ]
    """The score at which a side may call honours before the first trick; None means never."""
    unfinished_rule: Annotated[UnfinishedRule, JsonKey("unfinished")]
    replacement_unit: Annotated[ReplacementUnit, JsonKey("goes_out")]


def change_terms(terms: RubberTerms, term_changes: Mapping[str, object]) -> RubberTerms:
    """Return a copy of the terms with some of them changed.

    `term_changes` maps the key of a term to its new value, as in the rubber file. Raises
    UnplayableHand with a text that begins with the key.
    """
    for term_key in term_changes:
        if term_key not in map_keys_by_field(RubberTerms).values():
            raise UnplayableHand(
                _("setting %(name)s not found") % {"name": format_value(term_key)}
            )
    try:
        return read_document(
            {**build_terms_data(terms), **term_changes}, RubberTerms, UnreadableJson
        )
    except UnreadableJson as problem:
        raise UnplayableHand(problem.problems[0]) from None


def build_terms_data(terms: RubberTerms) -> dict[str, object]:
    """Return the terms by key, in the format of the rubber file and of `change_terms`."""
    return {
        term_key: list(value) if isinstance(value, tuple) else value
        for field_name, term_key in map_keys_by_field(RubberTerms).items()
        for value in [getattr(terms, field_name)]
    }
