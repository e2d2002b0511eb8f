"""The data of a table's marker page: its players, score and hands, and the next four."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.activities.models import ActivityPlayer
from clubs.activities.secrecy import format_full_name
from rubbers.rubber.corrections import CorrectionStage
from rubbers.rubber.cuts import PLAYERS_PER_TABLE
from rubbers.rubber.dummy import MIN_PLAYERS, GameKind, get_game_kind, seat_players_with_dummy
from rubbers.rubber.hands import Penalty, Side
from rubbers.rubber.night import format_leaving_reason
from rubbers.rubber.seating import (
    CutPurpose,
    Cuts,
    decide_seating,
    find_dealer_seat,
    find_next_dummy_seats,
)
from rubbers.rubber.spell_score import ScoredHand
from rubbers.sheets.words import format_game, format_hand, format_hand_points, format_rubber
from rubbers.snapshot import DUMMY_NUMBER, NightSnapshot, TableSnapshot

PlayerNameFormatter = Callable[[ActivityPlayer], str]
TRICK_CHOICES = tuple(range(7, 14))
"""The numbers of tricks with which a side can win a hand; the form has a button for each."""


@dataclass(frozen=True, slots=True)
class PersonAtTable:
    """A player at the table; `substitute_name` is "" if the player has no substitute."""

    number: int
    name: str
    substitute_name: str = ""

    @property
    def full_label(self) -> str:
        """The player's name; with a substitute, both names: "Eve for Ann"."""
        if self.substitute_name:
            return _("%(plays)s for %(name)s") % {
                "plays": self.substitute_name,
                "name": self.name,
            }
        return self.name


@dataclass(frozen=True, kw_only=True)
class MarkerSide:
    """One side: its players, its score, and whether it may claim or call honours."""

    side: str
    people: tuple[PersonAtTable, PersonAtTable]
    """The two players; the number of a dummy is 0."""
    score: int
    games: int
    """The number of games that the side has won in this rubber."""
    games_to_win: int
    """The number of games with which a side wins the rubber; 0 if rubbers are not played."""
    has_honours: bool
    """Whether honours of this side would count in the next hand."""
    may_call_honours: bool
    """Whether the side may call its honours before the next hand."""
    is_excluded_from_honours: bool = False
    """Whether honours of this side no longer count, because its score is too high."""

    @property
    def names(self) -> str:
        """The names of both players."""
        return " + ".join(person.full_label for person in self.people)

    @property
    def penalised_player_names(self) -> str:
        """The names of the players who are penalised for a revoke: both, except a dummy."""
        return " + ".join(
            person.full_label for person in self.people if person.number != DUMMY_NUMBER
        )

    @property
    def won_game_flags(self) -> tuple[bool, ...]:
        """For each game that the side needs to win the rubber, whether it has won the game."""
        return tuple(index < self.games for index in range(self.games_to_win))


@dataclass(frozen=True, kw_only=True)
class MarkerHand:
    """A recorded hand, with its points and the score after it."""

    spell: int
    """The number of the spell."""
    number: int
    """The number of the hand within the spell."""
    hand_text: str
    points_text: str
    score: str
    win_text: str
    """The game or rubber that was won with this hand, as a text; "" if none was won."""
    dealer: str
    is_reason_required: bool
    """Whether a reason must be entered for a correction."""
    data: Mapping[str, Any]
    """The hand in the stored format, for the API."""


@dataclass(frozen=True, kw_only=True)
class NextSeatingChoices:
    """The choices for the next seating of a table, after the cuts that have been made."""

    spell_number: int
    present_members: tuple[PersonAtTable, ...]
    arriving_members: tuple[PersonAtTable, ...]
    leaving_reasons: tuple[str, ...]
    cut_purpose: str
    players_to_cut: tuple[PersonAtTable, ...]
    missing_players_text: str
    """A text with the number of missing players; "" if there are enough."""
    repeatable_seating: tuple[int, ...]
    """The player numbers of the last seating if the same four can play again, else empty."""
    game_kind: GameKind = GameKind.WHIST
    dummy_turns: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The name of each player who may have the dummy that deals first, with the seats then.

    Empty in whist with four players.
    """
    next_dummy_seats: tuple[int, ...] = ()
    """The seats if the same players continue and have the dummy in turn, else empty."""

    @property
    def next_dummy_player(self) -> str:
        """The player whose turn it is to have the dummy; "" if there is no such turn."""
        return next(
            (name for name, seats in self.dummy_turns if seats == self.next_dummy_seats), ""
        )

    @property
    def is_cut_for_leaving(self) -> bool:
        """Whether the next cut decides who leaves the table, rather than who plays."""
        return self.cut_purpose == CutPurpose.OUT


@dataclass(frozen=True, kw_only=True)
class MarkerPageData:
    """The data of a table's marker page; most fields have the same names in the API."""

    table: int
    """The number of the table."""
    round: int
    """The number of the drive's round; 0 if the night belongs to no drive."""
    title: str
    address: str
    """The last part of the URL of the table's page."""
    spell: int
    """The number of the present spell; 0 before the first seating."""
    hand: int
    """The number of the next hand."""
    rubber_number: int
    """The number of the rubber in play, or of the game if rubbers are not played."""
    dealer: str
    sides: tuple[MarkerSide, ...]
    penalties: tuple[str, ...]
    hands: tuple[MarkerHand, ...]
    """The hands of the present spell, newest first."""
    earlier_hands: tuple[MarkerHand, ...]
    winner_text: str
    """A text that names the winners of the last hand's game or rubber; "" if none was won."""
    waiting: tuple[PersonAtTable, ...]
    members: tuple[PersonAtTable, ...]
    next_seating: NextSeatingChoices | None
    """The choices for the next seating; None while the present spell is in play."""
    may_mark: bool
    """Whether a hand can be recorded at the table now."""
    is_done: bool
    """Whether no hands can be recorded: the night is closed, or the table's round is over."""
    has_rubbers: bool
    can_end_round: bool
    is_settled: bool
    kind: GameKind = GameKind.WHIST

    @property
    def all_hands(self) -> tuple[MarkerHand, ...]:
        """The hands of all spells, oldest first."""
        return (*reversed(self.earlier_hands), *reversed(self.hands))

    @property
    def is_seating_choice_needed(self) -> bool:
        """Whether the players must choose the next four on the page."""
        return self.next_seating is not None


def build_marker_page_data(
    snapshot: NightSnapshot, table: TableSnapshot, format_name: PlayerNameFormatter
) -> MarkerPageData:
    """Return the data of a table's marker page."""
    people_by_number = _build_people(snapshot, table, format_name)
    is_over = (
        snapshot.row.is_closed
        or table.row.settled
        or (bool(table.row.round) and _is_spell_over(table))
    )
    hands_by_spell = [
        _build_hands(table, spell_number, people_by_number)
        for spell_number in range(1, len(table.spells) + 1)
    ]
    sides = _build_sides(table, people_by_number) if table.spells else ()
    return MarkerPageData(
        table=table.row.number,
        round=table.row.round,
        title=table.row.title,
        address=table.row.address,
        spell=len(table.spells),
        hand=len(table.stored_hands[-1]) + 1 if table.stored_hands else 1,
        rubber_number=_get_rubber_number(table),
        dealer=_format_dealer(table, people_by_number),
        sides=sides,
        penalties=tuple(table.night.terms.penalties),
        hands=tuple(reversed(hands_by_spell[-1])) if hands_by_spell else (),
        earlier_hands=tuple(
            hand
            for spell_hands in reversed(hands_by_spell[:-1])
            for hand in reversed(spell_hands)
        ),
        winner_text=_format_winner(table, sides),
        waiting=tuple(
            people_by_number[player_number] for player_number in table.waiting_members
        ),
        members=tuple(
            people_by_number[player_number] for player_number in table.present_members
        ),
        next_seating=None
        if is_over or not table.is_over
        else build_next_seating(snapshot, table, format_name),
        may_mark=bool(table.spells) and not is_over and not table.is_over,
        is_done=is_over,
        has_rubbers=table.night.terms.best_of is not None,
        can_end_round=bool(table.row.round and table.spells) and not snapshot.row.is_closed,
        is_settled=table.row.settled,
        kind=table.kind,
    )


def build_next_seating(
    snapshot: NightSnapshot,
    table: TableSnapshot,
    format_name: PlayerNameFormatter,
    cuts: Cuts | None = None,
) -> NextSeatingChoices:
    """Return the choices for the next seating of a table after some cuts."""
    people_by_number = _build_people(snapshot, table, format_name)
    present_members = table.present_members
    missing_players_text, cut_purpose = "", ""
    players_to_cut: tuple[PersonAtTable, ...] = ()
    leaving_reasons: tuple[str, ...] = ()
    if len(present_members) < MIN_PLAYERS:
        message = ngettext(
            "One more player is needed.",
            "%(count)s more players are needed.",
            MIN_PLAYERS - len(present_members),
        )
        missing_players_text = message % {"count": MIN_PLAYERS - len(present_members)}
    else:
        seating = decide_seating(table.night, cuts or Cuts())
        cut_purpose = seating.cut_purpose.value
        players_to_cut = tuple(
            people_by_number[int(player_name)] for player_name in seating.players_to_cut
        )
        leaving_reasons = tuple(
            format_leaving_reason(
                leaving_member._replace(
                    player_key=people_by_number[int(leaving_member.player_key)].name
                )
            )
            for leaving_member in seating.leaving_members
        )
    can_repeat_seats = not table.waiting_members and not table.has_player_left
    return NextSeatingChoices(
        spell_number=len(table.spells) + 1,
        present_members=tuple(
            people_by_number[player_number] for player_number in present_members
        ),
        arriving_members=tuple(
            people_by_number[player_number] for player_number in table.waiting_members
        )
        if table.spells
        else (),
        leaving_reasons=leaving_reasons,
        cut_purpose=cut_purpose,
        players_to_cut=players_to_cut,
        missing_players_text=missing_players_text,
        repeatable_seating=table.current_seats
        if table.spells and can_repeat_seats and DUMMY_NUMBER not in table.current_seats
        else (),
        game_kind=get_game_kind(max(MIN_PLAYERS, len(present_members))),
        dummy_turns=_list_dummy_seating_choices(present_members, people_by_number),
        next_dummy_seats=tuple(map(int, find_next_dummy_seats(table.night) or ())),
    )


def _list_dummy_seating_choices(
    present_members: Sequence[int], people_by_number: dict[int, PersonAtTable]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return (name, seats) for each player who may have the dummy that deals first.

    `seats` are the player numbers of all seats if this player has that dummy. The other players
    sit in their present order. Empty for a table without a dummy.
    """
    if not MIN_PLAYERS <= len(present_members) < PLAYERS_PER_TABLE:
        return ()
    dummy_turns = []
    for index, player_number in enumerate(present_members):
        rotated_members = [
            str(member_number)
            for member_number in (*present_members[index:], *present_members[:index])
        ]
        dummy_turns.append(
            (
                people_by_number[player_number].name,
                tuple(map(int, seat_players_with_dummy(rotated_members))),
            )
        )
    return tuple(dummy_turns)


def _build_people(
    snapshot: NightSnapshot, table: TableSnapshot, format_name: PlayerNameFormatter
) -> dict[int, PersonAtTable]:
    substitute_names = dict(table.spells[-1].substitutes) if table.spells else {}
    if format_name is not format_full_name:  # the names of substitutes are not public
        substitute_names = dict.fromkeys(substitute_names, _("a substitute"))
    people_by_number = {
        player_number: PersonAtTable(
            player_number, format_name(player), substitute_names.get(str(player_number), "")
        )
        for player_number, player in snapshot.players.items()
    }
    return people_by_number | {DUMMY_NUMBER: PersonAtTable(DUMMY_NUMBER, _("Dummy"))}


def _is_spell_over(table: TableSnapshot) -> bool:
    return bool(table.spells) and table.is_over


def _build_sides(
    table: TableSnapshot, people_by_number: dict[int, PersonAtTable]
) -> tuple[MarkerSide, ...]:
    terms, scored_spell = table.night.terms, table.scored_spells[-1]
    first_player_a, second_player_a, first_player_b, second_player_b = (
        people_by_number[player_number] for player_number in table.current_seats
    )
    honours_bar = terms.honours_bar
    last_hand = scored_spell.hands[-1] if scored_spell.hands else None
    rubber_games, score = scored_spell.unfinished_games, scored_spell.score
    if (
        last_hand and last_hand.won_rubber and table.is_over
    ):  # until the next four are seated, the page shows the score at the end of the rubber
        rubber_games, score = last_hand.won_rubber.games, last_hand.score
    return tuple(
        MarkerSide(
            side=side.value,
            people=side_people,
            score=score.get_count(side),
            games=sum(game.winner is side for game in rubber_games),
            games_to_win=(terms.best_of + 1) // 2 if terms.best_of else 0,
            has_honours=bool(terms.four_honours or terms.three_honours)
            and (honours_bar is None or score.get_count(side) < honours_bar),
            may_call_honours=terms.honours_calling_score is not None
            and score.get_count(side) == terms.honours_calling_score,
            is_excluded_from_honours=bool(terms.four_honours or terms.three_honours)
            and honours_bar is not None
            and score.get_count(side) >= honours_bar,
        )
        for side, side_people in (
            (Side.A, (first_player_a, second_player_a)),
            (Side.B, (first_player_b, second_player_b)),
        )
    )


def _build_hands(
    table: TableSnapshot, spell_number: int, people_by_number: dict[int, PersonAtTable]
) -> list[MarkerHand]:
    spell = table.spells[spell_number - 1]
    return [
        MarkerHand(
            spell=spell_number,
            number=scored_hand.number,
            hand_text=format_hand(hand_data),
            points_text=format_hand_points(scored_hand),
            score=f"{scored_hand.score.a}–{scored_hand.score.b}",
            win_text=_format_win(scored_hand),
            dealer=_find_dealer(
                spell.seats, spell.dealer, scored_hand.number, people_by_number
            ).name,
            is_reason_required=table.get_correction_stage(spell_number, scored_hand.number)
            is CorrectionStage.ORGANISER_ONLY,
            data=hand_data,
        )
        for scored_hand, hand_data in zip(
            table.scored_spells[spell_number - 1].hands,
            table.stored_hands[spell_number - 1],
            strict=True,
        )
    ]


def _format_win(scored_hand: ScoredHand) -> str:
    if scored_hand.won_rubber:
        return format_rubber(scored_hand.won_rubber)
    return format_game(scored_hand.won_game) if scored_hand.won_game else ""


def _find_dealer(
    seats: Sequence[int],
    first_dealer: int,
    hand_number: int,
    people_by_number: dict[int, PersonAtTable],
) -> PersonAtTable:
    """Return the dealer of a hand; a dummy is named after its partner: "Ann’s dummy"."""
    dealer_seat_index = find_dealer_seat(list(map(str, seats)), str(first_dealer), hand_number)
    if seats[dealer_seat_index] != DUMMY_NUMBER:
        return people_by_number[seats[dealer_seat_index]]
    partner = people_by_number[seats[dealer_seat_index - 1]]
    return PersonAtTable(DUMMY_NUMBER, _("%(name)s’s dummy") % {"name": partner.name})


def _format_dealer(table: TableSnapshot, people_by_number: dict[int, PersonAtTable]) -> str:
    if not table.spells:
        return ""
    spell = table.spells[-1]
    return _find_dealer(
        spell.seats, spell.dealer, len(table.stored_hands[-1]) + 1, people_by_number
    ).full_label


def _get_rubber_number(table: TableSnapshot) -> int:
    """Return the number of the current rubber or, if rubbers are not played, of the game."""
    terms = table.night.terms
    finished_unit_count = sum(
        len(scored_spell.rubbers if terms.best_of is not None else scored_spell.games)
        for scored_spell in table.scored_spells
    )
    return max(1, finished_unit_count + (not (table.spells and table.is_over)))


def _format_winner(table: TableSnapshot, sides: tuple[MarkerSide, ...]) -> str:
    """Return a text with the winners of the game or rubber that ended with the last hand.

    The text is "" if no game ended with the last hand.
    """
    hands = table.scored_spells[-1].hands if table.scored_spells else ()
    last_hand = hands[-1] if hands else None
    if last_hand is None or not last_hand.won_game:
        return ""
    winning_side = sides[0] if last_hand.won_game.winner is Side.A else sides[1]
    return _("%(names)s: %(what)s") % {
        "names": winning_side.names,
        "what": _format_win(last_hand),
    }


def format_penalty(snapshot: NightSnapshot, penalty: str) -> str:
    """Describe a penalty for a revoke, e.g. "3 tricks"."""
    terms = snapshot.terms
    trick_values = {"count": terms.penalty_tricks}
    point_values = {"count": terms.penalty_points}
    if penalty == Penalty.TRICKS:
        return (
            ngettext("%(count)s trick", "%(count)s tricks", terms.penalty_tricks) % trick_values
        )
    if penalty == Penalty.LOST_POINTS:
        return (
            ngettext("lose %(count)s point", "lose %(count)s points", terms.penalty_points)
            % point_values
        )
    return (
        ngettext(
            "%(count)s point for the other side",
            "%(count)s points for the other side",
            terms.penalty_points,
        )
        % point_values
    )
