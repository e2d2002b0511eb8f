"""The data of a table's marker page: players, score, hands, entries, and the next four."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.activities.models import ActivityPlayer
from clubs.activities.secrecy import format_full_name
from rubbers.rubber.corrections import CorrectionSpan
from rubbers.rubber.cuts import PLAYERS_PER_TABLE
from rubbers.rubber.dummy import MIN_PLAYERS, GameKind, get_game_kind, seat_with_dummy
from rubbers.rubber.hands import Penalty, Side
from rubbers.rubber.night import format_reason
from rubbers.rubber.seating import (
    CutPurpose,
    Cuts,
    decide_seating,
    find_dealer_seat,
    seat_in_turn,
)
from rubbers.rubber.spell_score import ScoredHand
from rubbers.sheets.words import format_game, format_hand, format_hand_points, format_rubber
from rubbers.snapshot import DUMMY_NUMBER, NightSnapshot, TableSnapshot

PlayerNamer = Callable[[ActivityPlayer], str]
TRICK_BUTTONS = tuple(range(7, 14))


@dataclass(frozen=True, slots=True)
class PersonAtTable:
    """A player by number and name; `plays` is the substitute, if there is one."""

    number: int
    name: str
    plays: str = ""

    @property
    def full_label(self) -> str:
        """The player's name, preceded by the name of the substitute if there is one."""
        if self.plays:
            return _("%(plays)s for %(name)s") % {"plays": self.plays, "name": self.name}
        return self.name


@dataclass(frozen=True, kw_only=True)
class SideOnMarker:
    """One side: its players, its score, the games of this rubber, and its possible claims."""

    side: str
    people: tuple[PersonAtTable, PersonAtTable]
    """The two players; a dummy has the number 0."""
    score: int
    games: int
    to_win: int
    """The number of games that wins the rubber; 0 where there are no rubbers."""
    has_honours: bool
    may_call: bool
    is_past_honours: bool = False
    """Whether its score is too high for honours, which count at lower scores."""

    @property
    def names(self) -> str:
        """The names of both players."""
        return " + ".join(person.full_label for person in self.people)

    @property
    def payers(self) -> str:
        """The names of the players who pay for a revoke: both partners, except a dummy."""
        return " + ".join(
            person.full_label for person in self.people if person.number != DUMMY_NUMBER
        )

    @property
    def won_game_marks(self) -> tuple[bool, ...]:
        """A value for each game that wins the rubber: True where the side has won it."""
        return tuple(at < self.games for at in range(self.to_win))


@dataclass(frozen=True, kw_only=True)
class HandOnMarker:
    """One recorded hand: the entry, its points, and the score after it."""

    spell: int
    number: int
    written: str
    counted: str
    score: str
    ends: str
    """A text with the game or the rubber that it ended; "" if it ended none."""
    dealer: str
    needs_reason: bool
    data: Mapping[str, Any]
    """The hand as it was entered, for the API."""


@dataclass(frozen=True, kw_only=True)
class NextFour:
    """The next seating: the present members, who plays, who leaves the table, and who has to
    cut.
    """

    spell: int
    present_members: tuple[PersonAtTable, ...]
    comes_in: tuple[PersonAtTable, ...]
    goes_out: tuple[str, ...]
    stage: str
    cutters: tuple[PersonAtTable, ...]
    missing_text: str
    """A text about missing players; empty if none are missing."""
    repeat_seats: tuple[int, ...]
    """The seats of the last four, if the same four play again."""
    kind: GameKind = GameKind.WHIST
    dummy_turns: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Each player who may have the dummy that deals first, with all seats; empty in whist."""
    next_turn_seats: tuple[int, ...] = ()
    """The seats by turn, where the same players continue with dummy."""

    @property
    def next_dummy_player(self) -> str:
        """The player who is the dummy's partner in the next rubber, or "" if there is no fixed
        turn.
        """
        return next(
            (name for name, seats in self.dummy_turns if seats == self.next_turn_seats), ""
        )

    @property
    def is_cut_for_leaving(self) -> bool:
        """Whether the next cut decides who leaves the table."""
        return self.stage == CutPurpose.OUT


@dataclass(frozen=True, kw_only=True)
class Marker:
    """The data of a table's marker page; `following` is the next seating when it is needed."""

    table: int
    round: int
    title: str
    address: str
    spell: int
    hand: int
    rubber: int
    dealer: str
    sides: tuple[SideOnMarker, ...]
    penalties: tuple[str, ...]
    hands: tuple[HandOnMarker, ...]
    """The hands of the present spell, newest first."""
    earlier: tuple[HandOnMarker, ...]
    won: str
    """A text with the side that has just won a game or the rubber."""
    waiting: tuple[PersonAtTable, ...]
    members: tuple[PersonAtTable, ...]
    following: NextFour | None
    may_mark: bool
    is_done: bool
    """Whether no more hands can be recorded: the night is closed, or the round was played."""
    has_rubbers: bool
    can_settle: bool
    is_settled: bool
    kind: GameKind = GameKind.WHIST

    @property
    def all_hands(self) -> tuple[HandOnMarker, ...]:
        """The hands of all spells, oldest first."""
        return (*reversed(self.earlier), *reversed(self.hands))

    @property
    def asks_who_plays(self) -> bool:
        """Whether the table has to choose the next four."""
        return self.following is not None


def build_marker(snapshot: NightSnapshot, table: TableSnapshot, names: PlayerNamer) -> Marker:
    """Return the data of a table's marker page."""
    people = _build_people(snapshot, table, names)
    is_over = (
        snapshot.row.is_closed
        or table.row.settled
        or (bool(table.row.round) and _is_spell_over(table))
    )
    hands = [_build_hands(table, at, people) for at in range(1, len(table.spells) + 1)]
    sides = _build_sides(table, people) if table.spells else ()
    return Marker(
        table=table.row.number,
        round=table.row.round,
        title=table.row.title,
        address=table.row.address,
        spell=len(table.spells),
        hand=len(table.stored_hands[-1]) + 1 if table.stored_hands else 1,
        rubber=_count_rubber_number(table),
        dealer=_format_dealer(table, people),
        sides=sides,
        penalties=tuple(table.night.terms.penalties),
        hands=tuple(reversed(hands[-1])) if hands else (),
        earlier=tuple(
            hand for hand_rows in reversed(hands[:-1]) for hand in reversed(hand_rows)
        ),
        won=_format_win(table, sides),
        waiting=tuple(people[number] for number in table.waiting_members),
        members=tuple(people[number] for number in table.present_members),
        following=None
        if is_over or not table.is_over
        else build_next_four(snapshot, table, names),
        may_mark=bool(table.spells) and not is_over and not table.is_over,
        is_done=is_over,
        has_rubbers=table.night.terms.best_of is not None,
        can_settle=bool(table.row.round and table.spells) and not snapshot.row.is_closed,
        is_settled=table.row.settled,
        kind=table.kind,
    )


def build_next_four(
    snapshot: NightSnapshot, table: TableSnapshot, names: PlayerNamer, cuts: Cuts | None = None
) -> NextFour:
    """Return the next seating, as far as the cuts decide it."""
    people = _build_people(snapshot, table, names)
    present_members = table.present_members
    missing_count, stage = "", ""
    cutters: tuple[PersonAtTable, ...] = ()
    out: tuple[str, ...] = ()
    if len(present_members) < MIN_PLAYERS:
        message = ngettext(
            "One more player is needed.",
            "%(count)s more players are needed.",
            MIN_PLAYERS - len(present_members),
        )
        missing_count = message % {"count": MIN_PLAYERS - len(present_members)}
    else:
        seating = decide_seating(table.night, cuts or Cuts())
        stage = seating.stage.value
        cutters = tuple(people[int(number_text)] for number_text in seating.cutters)
        out = tuple(
            format_reason(
                leaving_member._replace(player=people[int(leaving_member.player)].name)
            )
            for leaving_member in seating.leaving
        )
    plays_on = not table.waiting_members and not table.has_left
    return NextFour(
        spell=len(table.spells) + 1,
        present_members=tuple(people[number] for number in present_members),
        comes_in=tuple(people[number] for number in table.waiting_members)
        if table.spells
        else (),
        goes_out=out,
        stage=stage,
        cutters=cutters,
        missing_text=missing_count,
        repeat_seats=table.current_seats
        if table.spells and plays_on and DUMMY_NUMBER not in table.current_seats
        else (),
        kind=get_game_kind(max(MIN_PLAYERS, len(present_members))),
        dummy_turns=_list_dummy_turns(present_members, people),
        next_turn_seats=tuple(map(int, seat_in_turn(table.night) or ())),
    )


def _list_dummy_turns(
    present_members: Sequence[int], people: dict[int, PersonAtTable]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """List the players who may have the dummy that deals first; the others keep their order."""
    if not MIN_PLAYERS <= len(present_members) < PLAYERS_PER_TABLE:
        return ()
    turns = []
    for at, number in enumerate(present_members):
        order = [str(member) for member in (*present_members[at:], *present_members[:at])]
        turns.append((people[number].name, tuple(map(int, seat_with_dummy(order)))))
    return tuple(turns)


def _build_people(
    snapshot: NightSnapshot, table: TableSnapshot, names: PlayerNamer
) -> dict[int, PersonAtTable]:
    plays = dict(table.spells[-1].substitutes) if table.spells else {}
    if names is not format_full_name:  # substitutes' typed names are not public
        plays = dict.fromkeys(plays, _("a substitute"))
    people = {
        number: PersonAtTable(number, names(player), plays.get(str(number), ""))
        for number, player in snapshot.players.items()
    }
    return people | {DUMMY_NUMBER: PersonAtTable(DUMMY_NUMBER, _("Dummy"))}


def _is_spell_over(table: TableSnapshot) -> bool:
    return bool(table.spells) and table.is_over


def _build_sides(
    table: TableSnapshot, people: dict[int, PersonAtTable]
) -> tuple[SideOnMarker, ...]:
    terms, reckoning = table.night.terms, table.scored_spells[-1]
    first_a, second_a, first_b, second_b = (people[number] for number in table.current_seats)
    bar = terms.honours_bar
    last = reckoning.hands[-1] if reckoning.hands else None
    running, score = reckoning.unfinished_games, reckoning.score
    if last and last.rubber and table.is_over:  # show the end until the next four are seated
        running, score = last.rubber.games, last.score
    return tuple(
        SideOnMarker(
            side=side.value,
            people=pair,
            score=score.get_side(side),
            games=sum(game.winner is side for game in running),
            to_win=(terms.best_of + 1) // 2 if terms.best_of else 0,
            has_honours=bool(terms.four_honours or terms.three_honours)
            and (bar is None or score.get_side(side) < bar),
            may_call=terms.calling_at is not None and score.get_side(side) == terms.calling_at,
            is_past_honours=bool(terms.four_honours or terms.three_honours)
            and bar is not None
            and score.get_side(side) >= bar,
        )
        for side, pair in ((Side.A, (first_a, second_a)), (Side.B, (first_b, second_b)))
    )


def _build_hands(
    table: TableSnapshot, spell: int, people: dict[int, PersonAtTable]
) -> list[HandOnMarker]:
    row = table.spells[spell - 1]
    return [
        HandOnMarker(
            spell=spell,
            number=scored.number,
            written=format_hand(hand_data),
            counted=format_hand_points(scored),
            score=f"{scored.score.a}–{scored.score.b}",
            ends=_format_end(scored),
            dealer=_find_dealer(row.seats, row.dealer, scored.number, people).name,
            needs_reason=table.get_correction_span(spell, scored.number)
            is CorrectionSpan.ORGANISER,
            data=hand_data,
        )
        for scored, hand_data in zip(
            table.scored_spells[spell - 1].hands, table.stored_hands[spell - 1], strict=True
        )
    ]


def _format_end(scored: ScoredHand) -> str:
    if scored.rubber:
        return format_rubber(scored.rubber)
    return format_game(scored.game) if scored.game else ""


def _find_dealer(
    seats: Sequence[int], first: int, number: int, people: dict[int, PersonAtTable]
) -> PersonAtTable:
    """Return the dealer of a hand.

    A dummy that deals is named after its partner, e.g. "Ann’s dummy".
    """
    place = find_dealer_seat(list(map(str, seats)), str(first), number)
    if seats[place] != DUMMY_NUMBER:
        return people[seats[place]]
    partner = people[seats[place - 1]]
    return PersonAtTable(DUMMY_NUMBER, _("%(name)s’s dummy") % {"name": partner.name})


def _format_dealer(table: TableSnapshot, people: dict[int, PersonAtTable]) -> str:
    if not table.spells:
        return ""
    row = table.spells[-1]
    return _find_dealer(
        row.seats, row.dealer, len(table.stored_hands[-1]) + 1, people
    ).full_label


def _count_rubber_number(table: TableSnapshot) -> int:
    """Return the number of the rubber, or of the game where rubbers are not played."""
    terms = table.night.terms
    finished_count = sum(
        len(scored_spell.rubbers if terms.best_of is not None else scored_spell.games)
        for scored_spell in table.scored_spells
    )
    return max(1, finished_count + (not (table.spells and table.is_over)))


def _format_win(table: TableSnapshot, sides: tuple[SideOnMarker, ...]) -> str:
    """Return a text with the winner by the last hand, until another hand follows."""
    hands = table.scored_spells[-1].hands if table.scored_spells else ()
    last = hands[-1] if hands else None
    if last is None or not last.game:
        return ""
    winner = sides[0] if last.game.winner is Side.A else sides[1]
    return _("%(names)s: %(what)s") % {"names": winner.names, "what": _format_end(last)}


def format_penalty(snapshot: NightSnapshot, penalty: str) -> str:
    """Return a penalty with its size: "3 tricks"."""
    terms = snapshot.terms
    tricks = {"count": terms.penalty_tricks}
    points = {"count": terms.penalty_points}
    if penalty == Penalty.TRICKS:
        return ngettext("%(count)s trick", "%(count)s tricks", terms.penalty_tricks) % tricks
    if penalty == Penalty.MINUS:
        return (
            ngettext("lose %(count)s point", "lose %(count)s points", terms.penalty_points)
            % points
        )
    return (
        ngettext(
            "%(count)s point for the other side",
            "%(count)s points for the other side",
            terms.penalty_points,
        )
        % points
    )
