"""The marker page of one table: players, score, hands, possible entries, and the next four."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.activities.models import ActivityPlayer
from clubs.activities.secrecy import full
from rubbers.held import NOBODY, HeldNight, HeldTable
from rubbers.rubber.corrections import Span
from rubbers.rubber.cutting import PLAYERS
from rubbers.rubber.dummy import MIN_PLAYERS, Kind, kind_for, seated_with_dummy
from rubbers.rubber.hands import Penalty, Side
from rubbers.rubber.night import reason
from rubbers.rubber.reckoning import ScoredHand
from rubbers.rubber.seating import Cuts, Stage, dealing_place, in_turn, seating
from rubbers.sheets.words import counted, game_words, hand_words, rubber_words

Names = Callable[[ActivityPlayer], str]
TRICKS = tuple(range(7, 14))


@dataclass(frozen=True, slots=True)
class Someone:
    """A player by number and name; `plays` is the substitute, if there is one."""

    number: int
    name: str
    plays: str = ""

    @property
    def called(self) -> str:
        """The name, after that of the substitute if there is one."""
        if self.plays:
            return _("%(plays)s for %(name)s") % {"plays": self.plays, "name": self.name}
        return self.name


@dataclass(frozen=True, kw_only=True)
class SideOnMarker:
    """One side: its players, its score, the games of this rubber, and its possible claims."""

    side: str
    people: tuple[Someone, Someone]
    """The two players; a dummy has the number 0."""
    score: int
    games: int
    to_win: int
    """The number of games that wins the rubber; 0 where there are no rubbers."""
    has_honours: bool
    may_call: bool

    @property
    def names(self) -> str:
        """The names of both players."""
        return " + ".join(each.called for each in self.people)

    @property
    def payers(self) -> str:
        """The names of those who pay for a revoke: all but a dummy."""
        return " + ".join(each.called for each in self.people if each.number != NOBODY)

    @property
    def dots(self) -> tuple[bool, ...]:
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
    """The next seating: who is there, comes in, leaves the table, and has to cut."""

    spell: int
    there: tuple[Someone, ...]
    comes_in: tuple[Someone, ...]
    goes_out: tuple[str, ...]
    stage: str
    cutters: tuple[Someone, ...]
    lacks: str
    """A text with what a table lacks; empty where nothing is missing."""
    same: tuple[int, ...]
    """The seats of the last four, where exactly these play on."""
    kind: Kind = Kind.WHIST
    turns: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Each player who may have the dummy that deals first, with all seats; empty in whist."""
    turn: tuple[int, ...] = ()
    """The seats by turn, where the same players continue with dummy."""

    @property
    def turn_name(self) -> str:
        """The player who, by turn, has the dummy that deals first; "" where no turn applies."""
        return next((name for name, seats in self.turns if seats == self.turn), "")

    @property
    def is_for_out(self) -> bool:
        """Whether the next cut decides who leaves the table."""
        return self.stage == Stage.OUT


@dataclass(frozen=True, kw_only=True)
class Marker:
    """All data of the table; `following` is the next seating, once one is needed."""

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
    waiting: tuple[Someone, ...]
    members: tuple[Someone, ...]
    following: NextFour | None
    may_mark: bool
    is_done: bool
    """Whether no more hands can be recorded: the night is closed, or the round was played."""
    has_rubbers: bool
    can_settle: bool
    is_settled: bool
    kind: Kind = Kind.WHIST

    @property
    def all_hands(self) -> tuple[HandOnMarker, ...]:
        """The hands of all spells, oldest first."""
        return (*reversed(self.earlier), *reversed(self.hands))

    @property
    def asks_who_plays(self) -> bool:
        """Whether the table has to choose the next four."""
        return self.following is not None


def marker(held: HeldNight, table: HeldTable, names: Names) -> Marker:
    """Return the data of a table's marker page."""
    people = _people(held, table, names)
    done = held.row.is_closed or table.row.settled or (bool(table.row.round) and _over(table))
    hands = [_hands(table, at, people) for at in range(1, len(table.spells) + 1)]
    sides = _sides(table, people) if table.spells else ()
    return Marker(
        table=table.row.number,
        round=table.row.round,
        title=table.row.called,
        address=table.row.address,
        spell=len(table.spells),
        hand=len(table.told[-1]) + 1 if table.told else 1,
        rubber=_rubber_number(table),
        dealer=_dealer(table, people),
        sides=sides,
        penalties=tuple(table.night.terms.penalties),
        hands=tuple(reversed(hands[-1])) if hands else (),
        earlier=tuple(hand for each in reversed(hands[:-1]) for hand in reversed(each)),
        won=_won(table, sides),
        waiting=tuple(people[number] for number in table.waiting),
        members=tuple(people[number] for number in table.there),
        following=None if done or not table.is_over else next_four(held, table, names),
        may_mark=bool(table.spells) and not done and not table.is_over,
        is_done=done,
        has_rubbers=table.night.terms.best_of is not None,
        can_settle=bool(table.row.round and table.spells) and not held.row.is_closed,
        is_settled=table.row.settled,
        kind=table.kind,
    )


def next_four(
    held: HeldNight, table: HeldTable, names: Names, cuts: Cuts | None = None
) -> NextFour:
    """Return the next seating, as far as the cuts decide it."""
    people = _people(held, table, names)
    there = table.there
    lacks, stage = "", ""
    cutters: tuple[Someone, ...] = ()
    out: tuple[str, ...] = ()
    if len(there) < MIN_PLAYERS:
        words = ngettext(
            "One more player is needed.",
            "%(count)s more players are needed.",
            MIN_PLAYERS - len(there),
        )
        lacks = words % {"count": MIN_PLAYERS - len(there)}
    else:
        found = seating(table.night, cuts or Cuts())
        stage = found.stage.value
        cutters = tuple(people[int(who)] for who in found.again)
        out = tuple(
            reason(each._replace(player=people[int(each.player)].name)) for each in found.out
        )
    plays_on = not table.waiting and not table.has_left
    return NextFour(
        spell=len(table.spells) + 1,
        there=tuple(people[number] for number in there),
        comes_in=tuple(people[number] for number in table.waiting) if table.spells else (),
        goes_out=out,
        stage=stage,
        cutters=cutters,
        lacks=lacks,
        same=table.seated if table.spells and plays_on and NOBODY not in table.seated else (),
        kind=kind_for(max(MIN_PLAYERS, len(there))),
        turns=_turns(there, people),
        turn=tuple(map(int, in_turn(table.night) or ())),
    )


def _turns(
    there: Sequence[int], people: dict[int, Someone]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """List the players who may have the dummy that deals first; the others keep their order."""
    if not MIN_PLAYERS <= len(there) < PLAYERS:
        return ()
    found = []
    for at, number in enumerate(there):
        order = [str(each) for each in (*there[at:], *there[:at])]
        found.append((people[number].name, tuple(map(int, seated_with_dummy(order)))))
    return tuple(found)


def _people(held: HeldNight, table: HeldTable, names: Names) -> dict[int, Someone]:
    plays = dict(table.spells[-1].substitutes) if table.spells else {}
    if names is not full:  # substitutes' typed names are not public
        plays = dict.fromkeys(plays, _("a substitute"))
    people = {
        number: Someone(number, names(each), plays.get(str(number), ""))
        for number, each in held.people.items()
    }
    return people | {NOBODY: Someone(NOBODY, _("Dummy"))}


def _over(table: HeldTable) -> bool:
    return bool(table.spells) and table.is_over


def _sides(table: HeldTable, people: dict[int, Someone]) -> tuple[SideOnMarker, ...]:
    terms, reckoning = table.night.terms, table.reckonings[-1]
    one, two, three, four = (people[number] for number in table.seated)
    bar = terms.honours_bar
    last = reckoning.hands[-1] if reckoning.hands else None
    running, score = reckoning.running, reckoning.score
    if last and last.rubber and table.is_over:  # show the end until the next four are seated
        running, score = last.rubber.games, last.score
    return tuple(
        SideOnMarker(
            side=side.value,
            people=pair,
            score=score.of(side),
            games=sum(game.winner is side for game in running),
            to_win=(terms.best_of + 1) // 2 if terms.best_of else 0,
            has_honours=bool(terms.four_honours or terms.three_honours)
            and (bar is None or score.of(side) < bar),
            may_call=terms.calling_at is not None and score.of(side) == terms.calling_at,
        )
        for side, pair in ((Side.A, (one, two)), (Side.B, (three, four)))
    )


def _hands(table: HeldTable, spell: int, people: dict[int, Someone]) -> list[HandOnMarker]:
    row = table.spells[spell - 1]
    return [
        HandOnMarker(
            spell=spell,
            number=scored.number,
            written=hand_words(told),
            counted=counted(scored),
            score=f"{scored.score.a}–{scored.score.b}",
            ends=_ends(scored),
            dealer=_dealt(row.seats, row.dealer, scored.number, people).name,
            needs_reason=table.span(spell, scored.number) is Span.ORGANISER,
            data=told,
        )
        for scored, told in zip(
            table.reckonings[spell - 1].hands, table.told[spell - 1], strict=True
        )
    ]


def _ends(scored: ScoredHand) -> str:
    if scored.rubber:
        return rubber_words(scored.rubber)
    return game_words(scored.game) if scored.game else ""


def _dealt(
    seats: Sequence[int], first: int, number: int, people: dict[int, Someone]
) -> Someone:
    """Return the dealer of a hand; a dummy has its partner's name."""
    place = dealing_place(list(map(str, seats)), str(first), number)
    if seats[place] != NOBODY:
        return people[seats[place]]
    partner = people[seats[place - 1]]
    return Someone(NOBODY, _("%(name)s’s dummy") % {"name": partner.name})


def _dealer(table: HeldTable, people: dict[int, Someone]) -> str:
    if not table.spells:
        return ""
    row = table.spells[-1]
    return _dealt(row.seats, row.dealer, len(table.told[-1]) + 1, people).called


def _rubber_number(table: HeldTable) -> int:
    """Return the number of the rubber, or of the game where rubbers are not played."""
    terms = table.night.terms
    done = sum(
        len(each.rubbers if terms.best_of is not None else each.games)
        for each in table.reckonings
    )
    return max(1, done + (not (table.spells and table.is_over)))


def _won(table: HeldTable, sides: tuple[SideOnMarker, ...]) -> str:
    """Return a text with the winner by the last hand, until another hand follows."""
    hands = table.reckonings[-1].hands if table.reckonings else ()
    last = hands[-1] if hands else None
    if last is None or not last.game:
        return ""
    winner = sides[0] if last.game.winner is Side.A else sides[1]
    return _("%(names)s: %(what)s") % {"names": winner.names, "what": _ends(last)}


def penalty_words(held: HeldNight, penalty: str) -> str:
    """Return a penalty with its size: "3 tricks"."""
    terms = held.terms
    tricks = {"count": terms.penalty_tricks}
    points = {"count": terms.penalty_points}
    if penalty == Penalty.TRICKS:
        return ngettext("%(count)s trick", "%(count)s tricks", terms.penalty_tricks) % tricks
    if penalty == Penalty.MINUS:
        return (
            ngettext("%(count)s point off", "%(count)s points off", terms.penalty_points)
            % points
        )
    return (
        ngettext(
            "%(count)s point for the others",
            "%(count)s points for the others",
            terms.penalty_points,
        )
        % points
    )
