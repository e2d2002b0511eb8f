"""The JSON input and output of the command `rubber`; docs/rubber.md.

Every error is one line that begins with its place. An unknown key is an error, since a misspelt
one would otherwise be ignored silently.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

from django.utils.translation import gettext as _

from rubbers.rubber.codes import Code, code_named
from rubbers.rubber.cutting import Cut, CutTable, Outgoing, cut_in, go_out
from rubbers.rubber.dummy import DUMMY, check_revokes, is_seating
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Count, Hand, Side
from rubbers.rubber.reckoning import Game, Reckoning, Rubber, reckon, remainder
from rubbers.rubber.terms import RubberTerms, changed
from server.json_reader.formats import Key, mapping_of, read, row_of
from server.json_reader.problems import JsonPlace, shown
from server.json_reader.values import text, whole

CARDS = {"A": 1, "J": 11, "Q": 12, "K": 13, "T": 10} | {str(n): n for n in range(2, 11)}
Name = Annotated[str, text(100)]
Changes = dict[str, Any]


def read_code(value: Any, at: JsonPlace) -> Any:
    """Read the name of a code."""
    try:
        return code_named(value)
    except UnplayableHand as problem:
        return at.fault(str(problem))


def _read_seat(value: Any, at: JsonPlace) -> Any:
    """Read a name; null is the dummy."""
    return DUMMY if value is None else text(100)(value, at)


def _read_card(value: Any, at: JsonPlace) -> Any:
    if isinstance(value, str) and value.upper() in CARDS:
        return CARDS[value.upper()]
    words = _("%(value)s is not a card; write A, 2 to 10, J, Q or K")
    return at.fault(words, value=shown(value))


Pair = Annotated[tuple[str, str], row_of(_read_seat, _read_seat)]
Cards = Annotated[Cut, mapping_of(_read_card)]


@dataclass(frozen=True, kw_only=True)
class RubberSides:
    """The players of each side."""

    a: Annotated[tuple[str, str], Key("A"), row_of(_read_seat, _read_seat)]
    b: Annotated[tuple[str, str], Key("B"), row_of(_read_seat, _read_seat)]

    @property
    def pairs(self) -> dict[Side, tuple[str, str]]:
        """The pairs by side."""
        return {Side.A: self.a, Side.B: self.b}

    def check(self, at: JsonPlace) -> None:
        """Check that all players are different."""
        if not is_seating([*self.a, *self.b]):
            at.fault(_("two different players a side are needed"))


@dataclass(frozen=True, kw_only=True)
class Head:
    """Descriptive keys that any file may have; they have no effect."""

    format: Any = None
    version: Any = None
    name: Any = None


@dataclass(frozen=True, kw_only=True)
class RubberFile(Head):
    """The hands of four players with the code and terms that score them."""

    code: Annotated[Code, read_code]
    changes: Annotated[Changes, Key("terms")] = field(default_factory=dict)
    sides: RubberSides | None
    hands: tuple[Hand, ...]
    closed: bool = False
    """Whether the night is closed, so that an unfinished rubber is settled."""

    @property
    def terms(self) -> RubberTerms:
        """The terms of the code with the house's changes; raises UnplayableHand."""
        return changed(self.code.terms, self.changes)

    def check(self, at: JsonPlace) -> None:
        """Check the terms, and the revokes of dummies."""
        try:
            _terms = self.terms
        except UnplayableHand as problem:
            at.key("terms").fault(str(problem))
        for place, hand in at.items("hands", self.hands):
            try:
                check_revokes(self.sides.pairs if self.sides else None, hand)
            except UnplayableHand as problem:
                place.fault(str(problem))


@dataclass(frozen=True, kw_only=True)
class CutFile(Head):
    """The players and their cards; to leave the table, also how often each played in turn."""

    players: tuple[Name, ...]
    cuts: tuple[Cards, ...] = ()
    consecutive: Annotated[dict[str, int] | None, mapping_of(whole(0, 9999))]
    out: Annotated[int | None, whole(0, 9999)]

    def check(self, at: JsonPlace) -> None:
        """Check that the file has all that decides who leaves the table."""
        if self.consecutive is None and self.out is None:
            return
        if {*(self.consecutive or {})} != {*self.players}:
            at.key("consecutive").fault(_("a number for each player is needed"))
        whole(0, len(self.players))(self.out or 0, at.key("out"))


def score_text(text: str) -> dict[str, object]:
    """Score the text of a rubber file. Raises UnreadableRubber."""
    file = read_rubber(text)
    reckoning = reckon(file.terms, file.hands)
    told = reckoning_data(reckoning)
    if file.closed:
        left = remainder(file.terms, reckoning)
        told["unfinished"] = left and left._asdict()
    return told


def cut_text(text: str) -> dict[str, object]:
    """Return what the cuts of a file decide: the seats, or who leaves the table.

    Raises UnreadableRubber.
    """
    file = read(text, CutFile, UnreadableRubber)
    if file.consecutive is not None:
        out = 1 if file.out is None else file.out
        found: Outgoing = go_out(file.consecutive, out, list(file.cuts))
        return {"out": list(found.out), "again": list(found.again)}
    return table_data(cut_in(list(file.players), list(file.cuts)), len(file.players))


def read_rubber(text: str) -> RubberFile:
    """Read the text of a rubber file; its terms are those of its code with the changes.

    Raises UnreadableRubber.
    """
    return read(text, RubberFile, UnreadableRubber)


def read_hand(data: object, place: str) -> Hand:
    """Read one hand in the format of files; error messages begin with `place`.

    Honours count as claimed unless the file says otherwise. Raises UnreadableRubber.
    """
    return read(data, Hand, UnreadableRubber, at=place)


def reckoning_data(reckoning: Reckoning) -> dict[str, object]:
    """Return scored hands as the command prints them."""
    return {
        "hands": [
            {
                "hand": scored.number,
                "lines": [
                    {"side": line.side, "from": line.origin, "points": line.points}
                    for line in scored.lines
                ],
                "score": count_data(scored.score),
                "game": scored.game and _game_data(scored.game),
                "rubber": scored.rubber and _rubber_data(scored.rubber),
            }
            for scored in reckoning.hands
        ],
        "games": [_game_data(game) for game in reckoning.games],
        "rubbers": [_rubber_data(rubber) for rubber in reckoning.rubbers],
        "score": count_data(reckoning.score),
    }


def table_data(table: CutTable, players: int) -> dict[str, object]:
    """Return the result of cuts: a dummy is null; `plays` is given if more than four cut."""
    told: dict[str, object] = {
        "partners": table.partners
        and [[None if name == DUMMY else name for name in pair] for pair in table.partners],
        "dealer": "dummy" if table.dealer == DUMMY else table.dealer,
        "again": list(table.again),
    }
    if players > 4:
        told["playing"] = table.playing and list(table.playing)
    return told


def count_data(count: Count) -> dict[str, int]:
    """Return a number for each side in the format of files."""
    return {side.value: count.of(side) for side in Side}


def _game_data(game: Game) -> dict[str, object]:
    return {"winner": game.winner, "losers": game.losers, "value": game.value}


def _rubber_data(rubber: Rubber) -> dict[str, object]:
    return {"winner": rubber.winner, "games": len(rubber.games), "points": rubber.points}
