"""Seats rounds from the stored input of a draw, so that a draw can be repeated.

The services and the verification of files use the same functions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from drives.draw.evening import draw_evening
from drives.draw.participants import Participants, PlayerId, SeatedRound
from drives.draw.player_changes import replace_player
from drives.draw.roles import draw_first_round_by_role
from drives.draw.table_meetings import draw_table_rounds
from drives.errors import UnplayableDrive
from drives.moves.table_repair import map_roles, repair_tables
from drives.moves.table_result import Role, Side, TableResult
from drives.play_forms import DriveForm
from drives.play_forms.drawn_cards import START_BY_CARDS, START_TERM, seat_players_by_cards
from drives.play_forms.ties import TIES_TERM

BELL_TERM = "bell"
"""The key of the term with the rule that ends a round for all tables."""
MEETINGS_TERM, MEETINGS_TERM_TABLE_VALUE = "meet", "table"
"""The key of the term that decides which meetings a draw counts, and its value for all meetings
at a table.
"""
DRIVE_TERM_KEYS = (TIES_TERM, BELL_TERM, START_TERM, MEETINGS_TERM)
"""The keys of a drive's terms that are not settings of a play form."""


def can_meet_at_tables(play_form: DriveForm) -> bool:
    """Return whether the draw can avoid that any two players of a table meet again.

    All other draws can only avoid repeated partners.
    """
    return play_form.code in ("lot", "social")


def select_form_terms(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Return the terms that are settings of a play form, without the drive's other terms."""
    return {term: value for term, value in terms.items() if term not in DRIVE_TERM_KEYS}


@dataclass(frozen=True, kw_only=True)
class DrawInput:
    """The input of a draw: the participants, and the decisions of tables or the organiser.

    `round_count` is the number of rounds to draw. `ranked_players` lists the players, the best
    first. `role_by_player` contains the roles at the start, and the present roles of resting
    players. `winner_by_table` contains the winning sides. `rest_count_by_player` counts the
    rests of this evening. `takeovers` are pairs of a player and the person who took over the
    player's seats after the draw.
    """

    participants: Participants
    round_count: int = 1
    ranked_players: tuple[int, ...] = ()
    role_by_player: Mapping[int, str] = field(default_factory=dict)
    winner_by_table: Mapping[int, str] = field(default_factory=dict)
    rest_count_by_player: Mapping[int, int] = field(default_factory=dict)
    takeovers: tuple[tuple[int, int], ...] = ()

    @property
    def all_players(self) -> tuple[PlayerId, ...]:
        """All players who may be drawn."""
        return (*self.participants.players, *self.participants.house_players)

    def to_data(self) -> dict[str, Any]:
        """Return the input as JSON data for the database and drive files, without defaults."""
        participants = self.participants
        input_data = {
            "players": list(participants.players),
            "house": list(participants.house_players),
            "apart": sorted(
                sorted(map(_get_player_number, pair)) for pair in participants.pairs_kept_apart
            ),
            "seated": list(participants.stationary_players),
            "ledger": _convert_keys_to_text(participants.season_rest_counts),
            "missed": _convert_keys_to_text(participants.missed_round_counts),
            "rounds": self.round_count,
            "standing": list(self.ranked_players),
            "roles": _convert_keys_to_text(self.role_by_player),
            "winners": _convert_keys_to_text(self.winner_by_table),
            "rests": _convert_keys_to_text(self.rest_count_by_player),
            "replaced": [list(pair) for pair in self.takeovers],
        }
        return {key: value for key, value in input_data.items() if value}


class DrawResult(NamedTuple):
    """The new rounds, and the players who have retired, such as the losers of a cut."""

    rounds: tuple[SeatedRound, ...]
    retired_players: tuple[PlayerId, ...] = ()


def seat_rounds(
    play_form: DriveForm,
    terms: Mapping[str, Any],
    draw_input: DrawInput,
    secret: bytes,
    played_rounds: Sequence[SeatedRound],
) -> DrawResult:
    """Seat the next rounds, by a draw or by results; raise UnplayableDrive with the reason.

    The draw uses the original players, not those who later took over their seats.
    """
    for replaced_player, successor in reversed(draw_input.takeovers):
        played_rounds = replace_player(played_rounds, successor, replaced_player)
    result = _seat_players_from_input(play_form, terms, draw_input, secret, played_rounds)
    rounds = list(result.rounds)
    for replaced_player, successor in draw_input.takeovers:
        rounds = replace_player(rounds, replaced_player, successor)
    return DrawResult(tuple(rounds), result.retired_players)


def _seat_players_from_input(
    play_form: DriveForm,
    terms: Mapping[str, Any],
    draw_input: DrawInput,
    secret: bytes,
    played_rounds: Sequence[SeatedRound],
) -> DrawResult:
    participants, round_count = draw_input.participants, draw_input.round_count
    if terms.get(MEETINGS_TERM) == MEETINGS_TERM_TABLE_VALUE and can_meet_at_tables(play_form):
        return DrawResult(draw_table_rounds(participants, round_count, secret, played_rounds))
    if play_form.draw_next_round is not None:
        return DrawResult(
            (
                play_form.draw_next_round(
                    participants, secret, played_rounds, draw_input.ranked_players
                ),
            )
        )
    if play_form.move_players is not None:
        return _move_round(play_form, terms, draw_input, secret, played_rounds)
    if not played_rounds:
        return DrawResult(play_form.plan_rounds(participants, round_count, secret).rounds)
    if play_form.has_fixed_partners:
        return DrawResult(
            play_form.plan_rounds(
                participants, len(played_rounds) + round_count, secret
            ).rounds[len(played_rounds) :]
        )
    return DrawResult(
        draw_evening(participants, round_count, secret, played_rounds=played_rounds).rounds
    )


def _move_round(
    play_form: DriveForm,
    terms: Mapping[str, Any],
    draw_input: DrawInput,
    secret: bytes,
    played_rounds: Sequence[SeatedRound],
) -> DrawResult:
    """Seat the first round at random, by roles or by drawn cards, later rounds by results."""
    assert play_form.move_players is not None
    participants = draw_input.participants
    if not played_rounds and terms.get(START_TERM) == START_BY_CARDS:
        return DrawResult(
            (seat_players_by_cards(participants, dict(draw_input.role_by_player.items())),)
        )
    if not played_rounds:
        first_round = play_form.plan_rounds(participants, 1, secret).rounds[0]
        if play_form.has_roles and any(draw_input.role_by_player.values()):
            first_round = draw_first_round_by_role(
                participants, dict(draw_input.role_by_player.items()), secret
            )
        return DrawResult((first_round,))
    rest_counts: dict[PlayerId, int] = dict(draw_input.rest_count_by_player.items())
    next_round = play_form.move_players(
        build_table_results(
            played_rounds[-1], draw_input.winner_by_table, draw_input.role_by_player
        ),
        select_form_terms(terms),
        rest_counts,
    )
    present_players = [*participants.players, *participants.playing_house_players]
    retired_players: tuple[PlayerId, ...] = ()
    if play_form.code == "cut":
        retired_players, next_round = (
            next_round.resting_players,
            SeatedRound(next_round.tables, ()),
        )
        seated_players = {player for table in next_round.tables for player in table}
        present_players = [
            player for player in participants.players if player not in retired_players
        ]
        present_players += [
            player for player in participants.playing_house_players if player in seated_players
        ]
        if not next_round.tables:
            raise UnplayableDrive(_("The last table has played: the cut is over."))
    role_by_player: dict[PlayerId, str] = dict(draw_input.role_by_player.items())
    role_by_player |= map_roles(played_rounds[-1].tables)
    repaired_round = repair_tables(next_round, present_players, role_by_player, rest_counts)
    return DrawResult(
        (SeatedRound(repaired_round.tables, repaired_round.resting_players),), retired_players
    )


def build_table_results(
    seated_round: SeatedRound,
    winner_by_table: Mapping[int, str],
    role_by_player: Mapping[int, str],
) -> list[TableResult]:
    """Return the result of each table of a round; resting players form a last half table."""
    tables = [
        TableResult(
            table_number,
            seats,
            Side(winner_by_table[table_number]) if table_number in winner_by_table else None,
        )
        for table_number, seats in enumerate(seated_round.tables, start=1)
    ]
    if seated_round.resting_players:
        resting_second_players = [
            player
            for player in seated_round.resting_players
            if role_by_player.get(_get_player_number(player)) == Role.SECOND
        ]
        resting_first_players = [
            player
            for player in seated_round.resting_players
            if player not in resting_second_players
        ]
        seats_per_role = max(len(resting_first_players), len(resting_second_players), 1)
        if 2 * seats_per_role == len(seated_round.resting_players) == 4:
            seats_per_role += (
                1  # two empty seats, so that this is not mistaken for a full table
            )
        seats = [
            *_pad_players(resting_first_players, seats_per_role),
            *_pad_players(resting_second_players, seats_per_role),
        ]
        tables.append(TableResult(len(tables) + 1, tuple(seats)))
    return tables


def _pad_players(players: Sequence[PlayerId], seat_count: int) -> list[PlayerId | None]:
    return [*players, *[None] * (seat_count - len(players))]


def parse_draw_input(input_data: Mapping[str, Any]) -> DrawInput:
    """Parse the format that `DrawInput.to_data` returns."""
    return DrawInput(
        participants=Participants(
            players=tuple(input_data["players"]),
            house_players=tuple(input_data.get("house", ())),
            pairs_kept_apart=frozenset(
                frozenset[PlayerId](pair) for pair in input_data.get("apart", ())
            ),
            stationary_players=tuple(input_data.get("seated", ())),
            season_rest_counts=_convert_keys_to_int(input_data.get("ledger", {})),
            missed_round_counts=_convert_keys_to_int(input_data.get("missed", {})),
        ),
        round_count=input_data.get("rounds", 1),
        ranked_players=tuple(input_data.get("standing", ())),
        role_by_player=_convert_keys_to_int(input_data.get("roles", {})),
        winner_by_table=_convert_keys_to_int(input_data.get("winners", {})),
        rest_count_by_player=_convert_keys_to_int(input_data.get("rests", {})),
        takeovers=tuple(
            (replaced_player, successor)
            for replaced_player, successor in input_data.get("replaced", ())
        ),
    )


def _get_player_number(player: PlayerId) -> int:
    assert isinstance(player, int)
    return player


def _convert_keys_to_text(values_by_number: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): values_by_number[key] for key in sorted(values_by_number)}


def _convert_keys_to_int(values_by_key: Mapping[str, Any]) -> dict[Any, Any]:
    return {int(key): value for key, value in values_by_key.items()}
