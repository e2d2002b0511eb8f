"""Play forms in which results decide who moves; the first round is seated by random draw."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from drives.draw.evening import DrawPlan
from drives.draw.participants import Participants, PlayerId, SeatedRound, check_round_count
from drives.draw.plan_statistics import compute_statistics
from drives.draw.random_stream import RandomStream
from drives.draw.rest_choice import choose_resting_players
from drives.errors import UnplayableDrive
from drives.moves.calls import format_call
from drives.moves.cut import retire_losers
from drives.moves.move_rule import MoveRule, MovingSide
from drives.moves.mover import move_players
from drives.moves.table_result import Role, TableResult
from drives.play_forms.play_form import (
    DriveForm,
    SeatingTime,
    check_no_terms,
    format_below_three_tables_warning,
    give_no_warning,
)
from server.translation import gettext_noop


def draw_first_round(participants: Participants, round_count: int, secret: bytes) -> DrawPlan:
    """Seat the first round at random; results decide the seats of later rounds.

    Raises UnplayableDrive for preferences that conflict with moves by results.
    """
    check_round_count(round_count)
    if participants.stationary_players or participants.pairs_kept_apart:
        raise UnplayableDrive(
            _("Results decide who moves, so no one can be stationary or kept apart.")
        )
    random_stream = RandomStream(secret, "first-round")
    players = participants.players
    season_rest_counts = [participants.season_rest_counts.get(player, 0) for player in players]
    resting_players = set(
        choose_resting_players(
            participants.resting_count, [0] * len(players), season_rest_counts, random_stream
        )
    )
    seated_players: list[PlayerId] = [
        *random_stream.shuffle(
            [player for index, player in enumerate(players) if index not in resting_players]
        ),
        *participants.playing_house_players,
    ]
    tables = tuple(
        (
            seated_players[start],
            seated_players[start + 1],
            seated_players[start + 2],
            seated_players[start + 3],
        )
        for start in range(0, len(seated_players), 4)
    )
    first_round = SeatedRound(
        tables, tuple(players[index] for index in sorted(resting_players))
    )
    return DrawPlan(
        rounds=(first_round,),
        statistics=compute_statistics([first_round], players),
        try_count=0,
    )


def _build_moving_form(
    code: str,
    rule: MoveRule,
    *,
    title: str,
    blurb: str,
    drawbacks: str,
    format_warning: Callable[[int], str] = format_below_three_tables_warning,
) -> DriveForm:
    """Build a play form in which results decide who moves.

    `rule` is the default; a club may change its settings, e.g. the numbers of steps.
    """

    def move_by_rule(
        tables: Sequence[TableResult],
        terms: dict[str, Any],
        rest_counts: Mapping[PlayerId, int] | None,
    ) -> SeatedRound:
        return move_players(tables, rule.apply_terms(terms), rest_counts)

    return DriveForm(
        code=code,
        seating_time=SeatingTime.AFTER_RESULT,
        plan_rounds=draw_first_round,
        move_players=move_by_rule,
        format_call=lambda terms: format_call(rule.apply_terms(terms)),
        format_warning=format_warning,
        title=title,
        blurb=blurb,
        drawbacks=drawbacks,
        terms={
            "moves": str(rule.moving_side),
            "first": rule.first_role_steps,
            "second": rule.second_role_steps,
            "crosses": None if rule.crossing_role is None else str(rule.crossing_role),
        },
        has_roles=True,
    )


def _format_one_table_warning(player_count: int) -> str:
    return (
        give_no_warning(player_count)
        if player_count >= 8
        else format_below_three_tables_warning(player_count)
    )


def _move_players_by_cut(
    tables: Sequence[TableResult],
    terms: dict[str, Any],
    _rest_counts: Mapping[PlayerId, int] | None,
) -> SeatedRound:
    check_no_terms("cut", terms)
    return retire_losers(tables)


def _format_cut_call(_terms: dict[str, Any]) -> str:
    return _("Losers retire. The winners of two tables meet.")


PROGRESSIVE_PLAY_FORM = _build_moving_form(
    "progressive",
    MoveRule(
        moving_side=MovingSide.LOSERS,
        first_role_steps=1,
        second_role_steps=-1,
        crossing_role=Role.SECOND,
    ),
    title=gettext_noop("Progressive"),
    blurb=gettext_noop(
        "Losers move: ladies (1st) up one table, gents (2nd) down one. Winners change partners."
    ),
    drawbacks=gettext_noop("About 16 partners in 24 hands at ten tables, never twice running."),
    format_warning=_format_one_table_warning,
)
"""Source: whistdrive.wordpress.com, the rules of a whist drive."""
SEMI_PARTNER_PLAY_FORM = _build_moving_form(
    "semi-partner",
    MoveRule(
        moving_side=MovingSide.LOSERS,
        first_role_steps=1,
        second_role_steps=-1,
        crossing_role=None,
    ),
    title=gettext_noop("Semi-partner"),
    blurb=gettext_noop(
        "Losers move: ladies (1st) up one table, gents (2nd) down one. Winners stay partners."
    ),
    drawbacks=gettext_noop(
        "About 10 partners in 24 hands at ten tables. Some keep one for ten hands."
    ),
)
"""Source: whistdrive.wordpress.com, the rules of a whist drive."""
WINNERS_MOVE_PLAY_FORM = _build_moving_form(
    "winners-move",
    MoveRule(
        moving_side=MovingSide.WINNERS,
        first_role_steps=1,
        second_role_steps=-1,
        crossing_role=Role.SECOND,
    ),
    title=gettext_noop("Winners move"),
    blurb=gettext_noop(
        "Winners move: ladies (1st) up one table, gents (2nd) down one. Losers change partners."
    ),
    drawbacks=gettext_noop("Losers keep their table. Never the same partner twice running."),
)
"""Source: Indian Link, March 2012, a Goan drive of sixty players."""
HEAD_TABLE_PLAY_FORM = _build_moving_form(
    "head-table",
    MoveRule(
        moving_side=MovingSide.WINNERS,
        first_role_steps=-1,
        second_role_steps=-1,
        crossing_role=Role.SECOND,
        has_head_table=True,
    ),
    title=gettext_noop("Head table"),
    blurb=gettext_noop("Winners move towards table 1. Its losers go to the last table."),
    drawbacks=gettext_noop("About 9 of 24 hands with the same partner, at ten tables."),
)
"""Source: the progressive games of the older books, with their head table and booby table."""
CUT_PLAY_FORM = DriveForm(
    code="cut",
    seating_time=SeatingTime.AFTER_RESULT,
    plan_rounds=draw_first_round,
    move_players=_move_players_by_cut,
    format_call=_format_cut_call,
    title=gettext_noop("Cut"),
    blurb=gettext_noop("Losers retire after each round until one table is left."),
    drawbacks=gettext_noop("Half the players only watch after round 1."),
    terms={},
    has_roles=True,
)
"""A play form in which losers retire until only one table plays."""
