"""The JSON input and output of the command `rubber`, which docs/rubber.md describes.

Every error message is one line that begins with the path of the invalid value. An unknown key
is an error, because it is probably misspelt.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

from django.utils.translation import gettext as _

from rubbers.rubber.codes import LawCode, find_law_code
from rubbers.rubber.cuts import (
    Cut,
    CutResult,
    LeavingPlayers,
    decide_leaving_players,
    decide_seats,
)
from rubbers.rubber.dummy import DUMMY_NAME, check_revokes, is_valid_seating
from rubbers.rubber.errors import UnplayableHand, UnreadableRubber
from rubbers.rubber.hands import Hand, Side, SideCounts
from rubbers.rubber.spell_score import (
    Game,
    ScoredSpell,
    WonRubber,
    compute_unfinished_rubber,
    score_hands,
)
from rubbers.rubber.terms import RubberTerms, change_terms
from server.json_reader.formats import (
    JsonKey,
    build_mapping_reader,
    build_row_reader,
    read_document,
)
from server.json_reader.problems import JsonPath, format_value
from server.json_reader.values import build_text_reader, build_whole_number_reader

CARD_RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13, "T": 10} | {
    str(rank): rank for rank in range(2, 11)
}
PersonName = Annotated[str, build_text_reader(100)]
TermChanges = dict[str, Any]


def read_law_code(value: Any, json_path: JsonPath) -> Any:
    """Read the name of a code of laws."""
    try:
        return find_law_code(value)
    except UnplayableHand as problem:
        return json_path.report(str(problem))


def _read_player_name(value: Any, json_path: JsonPath) -> Any:
    """Read a player's name; null means a dummy."""
    return DUMMY_NAME if value is None else build_text_reader(100)(value, json_path)


def _read_card_rank(value: Any, json_path: JsonPath) -> Any:
    if isinstance(value, str) and value.upper() in CARD_RANKS:
        return CARD_RANKS[value.upper()]
    message = _("%(value)s isn’t a card. Enter A, 2 to 10, J, Q or K")
    return json_path.report(message, value=format_value(value))


PlayerPair = Annotated[tuple[str, str], build_row_reader(_read_player_name, _read_player_name)]
CutCards = Annotated[Cut, build_mapping_reader(_read_card_rank)]


@dataclass(frozen=True, kw_only=True)
class RubberSides:
    """The two players of each side."""

    side_a_players: Annotated[
        tuple[str, str], JsonKey("A"), build_row_reader(_read_player_name, _read_player_name)
    ]
    side_b_players: Annotated[
        tuple[str, str], JsonKey("B"), build_row_reader(_read_player_name, _read_player_name)
    ]

    @property
    def pairs_by_side(self) -> dict[Side, tuple[str, str]]:
        """The two players of each side, by side."""
        return {Side.A: self.side_a_players, Side.B: self.side_b_players}

    def validate(self, json_path: JsonPath) -> None:
        """Report players who occur twice."""
        if not is_valid_seating([*self.side_a_players, *self.side_b_players]):
            json_path.report(_("each side needs two different players"))


@dataclass(frozen=True, kw_only=True)
class FileHeader:
    """Keys that any file may have as a description; they have no effect."""

    format: Any = None
    version: Any = None
    name: Any = None


@dataclass(frozen=True, kw_only=True)
class RubberFile(FileHeader):
    """The hands of four players, with the code of laws and the terms that score them."""

    code: Annotated[LawCode, read_law_code]
    term_changes: Annotated[TermChanges, JsonKey("terms")] = field(default_factory=dict)
    sides: RubberSides | None
    hands: tuple[Hand, ...]
    is_closed: Annotated[bool, JsonKey("closed")] = False
    """Whether the night is over, so that an unfinished rubber is scored too."""

    @property
    def terms(self) -> RubberTerms:
        """The terms of the code with `term_changes` applied; may raise UnplayableHand."""
        return change_terms(self.code.terms, self.term_changes)

    def validate(self, json_path: JsonPath) -> None:
        """Report invalid terms, and revokes of dummies who do not exist."""
        try:
            _terms = self.terms
        except UnplayableHand as problem:
            json_path.get_key_path("terms").report(str(problem))
        for hand_path, hand in json_path.iter_items("hands", self.hands):
            try:
                check_revokes(self.sides.pairs_by_side if self.sides else None, hand)
            except UnplayableHand as problem:
                hand_path.report(str(problem))


@dataclass(frozen=True, kw_only=True)
class CutFile(FileHeader):
    """The players and the cards that they cut.

    `consecutive_play_counts` and `leaving_count` are given only if the cuts decide who
    leaves the table. Otherwise the cuts decide the seats.
    """

    players: tuple[PersonName, ...]
    cuts: tuple[CutCards, ...] = ()
    consecutive_play_counts: Annotated[
        dict[str, int] | None,
        JsonKey("consecutive"),
        build_mapping_reader(build_whole_number_reader(0, 9999)),
    ]
    """The number of rubbers or games that each player has played without a break."""
    leaving_count: Annotated[int | None, JsonKey("out"), build_whole_number_reader(0, 9999)]

    def validate(self, json_path: JsonPath) -> None:
        """Report invalid values of `consecutive_play_counts` and `leaving_count`."""
        if self.consecutive_play_counts is None and self.leaving_count is None:
            return
        if {*(self.consecutive_play_counts or {})} != {*self.players}:
            json_path.get_key_path("consecutive").report(_("each player needs a number"))
        build_whole_number_reader(0, len(self.players))(
            self.leaving_count or 0, json_path.get_key_path("out")
        )


def score_rubber_file(file_text: str) -> dict[str, object]:
    """Score the hands of a rubber file, given as text; raise UnreadableRubber."""
    rubber_file = parse_rubber_file(file_text)
    scored_spell = score_hands(rubber_file.terms, rubber_file.hands)
    score_data = build_score_data(scored_spell)
    if rubber_file.is_closed:
        unfinished_rubber = compute_unfinished_rubber(rubber_file.terms, scored_spell)
        score_data["unfinished"] = unfinished_rubber and unfinished_rubber._asdict()
    return score_data


def evaluate_cut_file(file_text: str) -> dict[str, object]:
    """Return what the cuts of a file decide: the seats, or the players who leave the table.

    Raises UnreadableRubber.
    """
    cut_file = read_document(file_text, CutFile, UnreadableRubber)
    if cut_file.consecutive_play_counts is not None:
        leaving_count = 1 if cut_file.leaving_count is None else cut_file.leaving_count
        leaving_players: LeavingPlayers = decide_leaving_players(
            cut_file.consecutive_play_counts, leaving_count, list(cut_file.cuts)
        )
        return {
            "out": list(leaving_players.players),
            "again": list(leaving_players.players_to_cut),
        }
    return build_cut_data(
        decide_seats(list(cut_file.players), list(cut_file.cuts)), len(cut_file.players)
    )


def parse_rubber_file(file_text: str) -> RubberFile:
    """Parse the text of a rubber file; raise UnreadableRubber."""
    return read_document(file_text, RubberFile, UnreadableRubber)


def parse_hand(hand_data: object, hand_label: str) -> Hand:
    """Parse one hand in the format of the rubber file.

    Honours count as claimed unless `claimed` is false. Raises UnreadableRubber, whose message
    begins with `hand_label`.
    """
    return read_document(hand_data, Hand, UnreadableRubber, path=hand_label)


def build_score_data(scored_spell: ScoredSpell) -> dict[str, object]:
    """Return scored hands as JSON data for the output of the command `rubber`."""
    return {
        "hands": [
            {
                "hand": scored_hand.number,
                "lines": [
                    {"side": line.side, "from": line.points_origin, "points": line.points}
                    for line in scored_hand.score_lines
                ],
                "score": build_side_counts_data(scored_hand.score),
                "game": scored_hand.won_game and _build_game_data(scored_hand.won_game),
                "rubber": scored_hand.won_rubber and _build_rubber_data(scored_hand.won_rubber),
            }
            for scored_hand in scored_spell.hands
        ],
        "games": [_build_game_data(game) for game in scored_spell.games],
        "rubbers": [_build_rubber_data(rubber) for rubber in scored_spell.rubbers],
        "score": build_side_counts_data(scored_spell.score),
    }


def build_cut_data(cut_result: CutResult, player_count: int) -> dict[str, object]:
    """Return the result of cuts as JSON data for the output of the command `rubber`.

    A dummy is null. The key `playing` is included only if more than four players cut.
    """
    cut_data: dict[str, object] = {
        "partners": cut_result.partnerships
        and [
            [None if name == DUMMY_NAME else name for name in partners]
            for partners in cut_result.partnerships
        ],
        "dealer": "dummy" if cut_result.dealer == DUMMY_NAME else cut_result.dealer,
        "again": list(cut_result.players_to_cut),
    }
    if player_count > 4:
        cut_data["playing"] = cut_result.seated_players and list(cut_result.seated_players)
    return cut_data


def build_side_counts_data(side_counts: SideCounts) -> dict[str, int]:
    """Return the numbers of both sides as JSON data, e.g. {"A": 2, "B": 1}."""
    return {side.value: side_counts.get_count(side) for side in Side}


def _build_game_data(game: Game) -> dict[str, object]:
    return {"winner": game.winner, "losers": game.losers_score, "value": game.value}


def _build_rubber_data(rubber: WonRubber) -> dict[str, object]:
    return {"winner": rubber.winner, "games": len(rubber.games), "points": rubber.points}
