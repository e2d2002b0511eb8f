"""The JSON input and output of the command `rubber`; docs/rubber.md.

Every error is one line that begins with its place. An unknown key is an error, since a misspelt
one would otherwise be ignored silently.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

from django.utils.translation import gettext as _

from rubbers.rubber.codes import Code, find_code
from rubbers.rubber.cuts import Cut, CutTable, LeavingPlayers, decide_leaving, decide_seats
from rubbers.rubber.dummy import DUMMY_NAME, check_revokes, is_seating
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand, Side, SideCounts
from rubbers.rubber.spell_score import (
    Game,
    Rubber,
    ScoredSpell,
    compute_unfinished,
    score_hands,
)
from rubbers.rubber.terms import RubberTerms, change_terms
from server.json_reader.formats import Key, mapping_of, read_document, row_of
from server.json_reader.problems import JsonPlace, format_value
from server.json_reader.values import text, whole_number

CARD_RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13, "T": 10} | {str(n): n for n in range(2, 11)}
Name = Annotated[str, text(100)]
Changes = dict[str, Any]


def read_code(value: Any, at: JsonPlace) -> Any:
    """Read the name of a code."""
    try:
        return find_code(value)
    except UnplayableHand as problem:
        return at.report(str(problem))


def _read_seat(value: Any, at: JsonPlace) -> Any:
    """Read a name; null is the dummy."""
    return DUMMY_NAME if value is None else text(100)(value, at)


def _read_card(value: Any, at: JsonPlace) -> Any:
    if isinstance(value, str) and value.upper() in CARD_RANKS:
        return CARD_RANKS[value.upper()]
    message = _("%(value)s isn't a card. Enter A, 2 to 10, J, Q or K")
    return at.report(message, value=format_value(value))


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

    def validate(self, at: JsonPlace) -> None:
        """Check that all players are different."""
        if not is_seating([*self.a, *self.b]):
            at.report(_("each side needs two different players"))


@dataclass(frozen=True, kw_only=True)
class FileHeader:
    """Descriptive keys that any file may have; they have no effect."""

    format: Any = None
    version: Any = None
    name: Any = None


@dataclass(frozen=True, kw_only=True)
class RubberFile(FileHeader):
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
        return change_terms(self.code.terms, self.changes)

    def validate(self, at: JsonPlace) -> None:
        """Check the terms, and the revokes of dummies."""
        try:
            _terms = self.terms
        except UnplayableHand as problem:
            at.key("terms").report(str(problem))
        for place, hand in at.items("hands", self.hands):
            try:
                check_revokes(self.sides.pairs if self.sides else None, hand)
            except UnplayableHand as problem:
                place.report(str(problem))


@dataclass(frozen=True, kw_only=True)
class CutFile(FileHeader):
    """The players and their cut cards. To decide who leaves the table, it also has how often
    each played in succession.
    """

    players: tuple[Name, ...]
    cuts: tuple[Cards, ...] = ()
    consecutive: Annotated[dict[str, int] | None, mapping_of(whole_number(0, 9999))]
    out: Annotated[int | None, whole_number(0, 9999)]

    def validate(self, at: JsonPlace) -> None:
        """Check that the file has all that decides who leaves the table."""
        if self.consecutive is None and self.out is None:
            return
        if {*(self.consecutive or {})} != {*self.players}:
            at.key("consecutive").report(_("each player needs a number"))
        whole_number(0, len(self.players))(self.out or 0, at.key("out"))


def score_rubber_file(text: str) -> dict[str, object]:
    """Score the text of a rubber file. Raises UnreadableRubber."""
    file = parse_rubber_file(text)
    reckoning = score_hands(file.terms, file.hands)
    score_data = build_score_data(reckoning)
    if file.closed:
        unfinished = compute_unfinished(file.terms, reckoning)
        score_data["unfinished"] = unfinished and unfinished._asdict()
    return score_data


def decide_cut_file(text: str) -> dict[str, object]:
    """Return the result of the cuts of a file: the seats, or the players who leave the table.

    Raises UnreadableRubber.
    """
    file = read_document(text, CutFile, UnreadableRubber)
    if file.consecutive is not None:
        out = 1 if file.out is None else file.out
        result: LeavingPlayers = decide_leaving(file.consecutive, out, list(file.cuts))
        return {"out": list(result.leaving), "again": list(result.cutters)}
    return build_cut_data(decide_seats(list(file.players), list(file.cuts)), len(file.players))


def parse_rubber_file(text: str) -> RubberFile:
    """Parse the text of a rubber file, with the terms of its code and their changes.

    Raises UnreadableRubber.
    """
    return read_document(text, RubberFile, UnreadableRubber)


def parse_hand(data: object, place: str) -> Hand:
    """Read one hand in the format of files; error messages begin with `place`.

    Honours count as claimed unless the file says otherwise. Raises UnreadableRubber.
    """
    return read_document(data, Hand, UnreadableRubber, at=place)


def build_score_data(reckoning: ScoredSpell) -> dict[str, object]:
    """Return scored hands as the command prints them."""
    return {
        "hands": [
            {
                "hand": scored.number,
                "lines": [
                    {"side": line.side, "from": line.origin, "points": line.points}
                    for line in scored.lines
                ],
                "score": build_count_data(scored.score),
                "game": scored.game and _build_game_data(scored.game),
                "rubber": scored.rubber and _build_rubber_data(scored.rubber),
            }
            for scored in reckoning.hands
        ],
        "games": [_build_game_data(game) for game in reckoning.games],
        "rubbers": [_build_rubber_data(rubber) for rubber in reckoning.rubbers],
        "score": build_count_data(reckoning.score),
    }


def build_cut_data(table: CutTable, players: int) -> dict[str, object]:
    """Return the result of cuts: a dummy is null; `plays` is given if more than four cut."""
    data: dict[str, object] = {
        "partners": table.partners
        and [
            [None if name == DUMMY_NAME else name for name in pair] for pair in table.partners
        ],
        "dealer": "dummy" if table.dealer == DUMMY_NAME else table.dealer,
        "again": list(table.cutters),
    }
    if players > 4:
        data["playing"] = table.playing and list(table.playing)
    return data


def build_count_data(count: SideCounts) -> dict[str, int]:
    """Return a number for each side in the format of files."""
    return {side.value: count.get_side(side) for side in Side}


def _build_game_data(game: Game) -> dict[str, object]:
    return {"winner": game.winner, "losers": game.losers, "value": game.value}


def _build_rubber_data(rubber: Rubber) -> dict[str, object]:
    return {"winner": rubber.winner, "games": len(rubber.games), "points": rubber.points}
