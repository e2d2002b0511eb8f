"""The file of a drive: players, rounds, totals, prizes, draws and the secret.

It has all data to continue the drive on another server; docs/drives.md describes it. Drawn
rounds that are not in play yet are `to_play`. Each of `draws` has its input and the numbers of
its rounds. `drives.files.export` writes the file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId, Seats, read_player
from drives.errors import UnplayableDrive, UnreadableDrive
from drives.files.values import read_secret, read_terms, read_version
from drives.games.contracts import PointsTable
from drives.games.hand_tallies import HandTally, PlayedHand, tally_hands
from drives.games.house import allow_all_contracts
from drives.games.reading import read_hand
from drives.play_forms import DriveForm, find_play_form
from drives.play_forms.rounds import DrawInput, parse_draw_input
from drives.play_forms.ties import TieRule, get_tie_rule
from drives.prizes.prize import PrizeLine
from drives.scores.attendance import Stay
from drives.scores.drive_scores import Competitor, DriveScores
from drives.scores.rules import Scoring
from drives.scores.score_format import format_score
from drives.scores.sheets import CardScore, PlayedRound, TableScore
from drives.scores.terms import ScoreTerms
from server.json_reader.decoder import decode_json
from server.json_reader.formats import Key, list_of, read_document, report_duplicates, row_of
from server.json_reader.problems import JsonPlace, can_be_stored
from server.json_reader.values import (
    anything,
    convert_with,
    date_text,
    number_or_text,
    text,
    whole_number,
)
from server.translation import gettext_noop

FORMAT, VERSION = "overplay-drive", 1
UID_NAMESPACE = UUID("0f9a1f5e-6f0c-5a0f-9d6f-64726976650a")
"""The UUID namespace of drives whose file has no uid."""
SUITS = "HCDSN"
FOUR_SEATS = row_of(int, int, int, int, description=gettext_noop("a table has four seats."))
Numbered = Annotated[int, whole_number(1, 1000)]
Figures = tuple[int, ...]


def _read_trumps(value: Any, at: JsonPlace) -> Any:
    """Read how trumps are made: turned up, declared, or a cycle of suits."""
    if value in ("turned", "declared") or _is_cycle(value):
        return value
    return at.report(_("trumps must be turned, declared, or a cycle of H, C, D, S and N."))


def _read_suits(value: Any, at: JsonPlace) -> Any:
    """Read the trumps of a round, a letter a hand; "" where the table decides."""
    if _is_cycle(value):
        return value
    return at.report(_("trumps must be the letters H, C, D, S and N."))


def _is_cycle(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 20 and set(value) <= set(SUITS)


Word = Annotated[str, text(30, 0)]
GroupName = Annotated[str | None, number_or_text(convert_with(str, anything), text())]


@dataclass(frozen=True, kw_only=True)
class DriveEntry:
    """One player of a drive's file."""

    number: int
    name: str = ""
    role: Literal["first", "second"] | None
    club: GroupName
    fort: GroupName
    house: bool = False
    present: bool = True
    from_round: Annotated[int, whole_number(0, 1000)] = 1
    to_round: Annotated[int | None, whole_number(0, 1000)]
    stays_seated: bool = False
    takes_over: int | None

    @property
    def stay(self) -> Stay:
        """The first and last round of the player's stay."""
        return Stay(max(1, self.from_round), self.to_round)

    def validate(self, at: JsonPlace) -> None:
        """Check that a player does not leave before arriving, or replace himself."""
        if self.to_round is not None and self.to_round < self.stay.first - 1:
            at.report(_("the last round is before the first."))
        if self.takes_over == self.number:
            at.key("takes_over").report(_("a player cannot take over from themselves."))


@dataclass(frozen=True, kw_only=True)
class FiledHand:
    """One hand of a table, where hands are scored one by one."""

    hand: Numbered
    score: Figures
    extras: Figures = ()
    contract: Annotated[Mapping[str, Any], anything] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FiledTable:
    """A table of a round; it has no scores until one is entered."""

    table: Numbered
    seats: Annotated[tuple[int, int, int, int], FOUR_SEATS]
    score: Figures = ()
    extras: Figures = ()
    hands: tuple[FiledHand, ...] = ()


@dataclass(frozen=True, kw_only=True)
class FiledRound:
    """One round of a drive's file, played or still to be played."""

    number: Annotated[int, Key("round"), whole_number(1, 1000)]
    filed_tables: Annotated[tuple[FiledTable, ...], Key("tables"), list_of(FiledTable)] = ()
    rest: tuple[int, ...] = ()
    trumps: Annotated[str | None, _read_suits]

    @property
    def tables(self) -> dict[int, Seats]:
        """The seats, by table."""
        return {filed_table.table: filed_table.seats for filed_table in self.filed_tables}

    @property
    def as_played(self) -> PlayedRound:
        """The round as a value for the ranking."""
        tables = self.filed_tables
        sheets = tuple(
            TableScore(table.table, table.seats, table.score, table.extras) for table in tables
        )
        return PlayedRound(self.number, sheets, self.rest)

    def build_scores_by_hand(self, scoring: Scoring) -> dict[tuple[int, int], FiledHand]:
        """Return the single hands, by table and hand number.

        If a round has only one hand, its number is 0, which means the whole round.
        """
        return {
            (filed_table.table, hand.hand if scoring.hands > 1 else 0): hand
            for filed_table in self.filed_tables
            for hand in filed_table.hands
        }

    def iter_players(self, at: JsonPlace) -> Iterator[tuple[JsonPlace, int]]:
        """Yield the players who sit or rest, with their places in the file."""
        for place, round_ in at.items("tables", self.filed_tables):
            yield from place.items("seats", round_.seats)
        yield from at.items("rest", self.rest)

    def validate(self, at: JsonPlace) -> None:
        """Check that no table and no player occurs twice."""
        tables = at.items("tables", self.filed_tables)
        report_duplicates((place.key("table"), round_.table) for place, round_ in tables)
        report_duplicates(self.iter_players(at))


@dataclass(frozen=True, kw_only=True)
class FiledCard:
    """The total of a player's score card, or of a part of it."""

    number: int
    total: int
    part: Annotated[int, whole_number(1, 100)] = 1
    rests: Annotated[int, whole_number(0, 100)] = 0
    rows: Figures = ()


@dataclass(frozen=True, kw_only=True)
class FiledAward:
    """A prize with its winner and the reason; no winner while a cut or a draw is due."""

    prize: Numbered
    number: Annotated[PlayerId | None, read_player]
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class FiledDraw:
    """A draw: its kind, its first round, its input, and the rounds that are in effect."""

    kind: Literal["planned", "drawn", "moved", "given"]
    first: Numbered
    given: dict[str, Any] = field(default_factory=dict)
    rounds: tuple[Numbered, ...] = ()
    by: str = ""

    @cached_property
    def draw_input(self) -> DrawInput | None:
        """The input of the draw; raises UnplayableDrive or the errors of a wrong type."""
        return None if self.kind == "given" else parse_draw_input(self.given)

    def validate(self, at: JsonPlace) -> None:
        """Check that the draw can be repeated."""
        try:
            _handed = self.draw_input
        except UnplayableDrive as problem:
            at.key("given").report(str(problem))
        except (AttributeError, KeyError, TypeError, ValueError):
            at.key("given").report(_("this isn't valid input for a draw."))


@dataclass(frozen=True, kw_only=True)
class DriveFile:
    """The content of a drive's file; `rounds` is the planned number of rounds."""

    version: Annotated[int, read_version]
    name: str
    form: Annotated[DriveForm, convert_with(find_play_form, text())]
    score: ScoreTerms
    hands: Numbered = 1
    players: Annotated[tuple[DriveEntry, ...], list_of(DriveEntry, min_length=1)]
    filed_played: Annotated[tuple[FiledRound, ...], Key("played"), list_of(FiledRound)] = ()
    to_play: tuple[FiledRound, ...] = ()
    totals: tuple[FiledCard, ...] = ()
    prizes: tuple[PrizeLine, ...] = ()
    rounds: Annotated[int | None, whole_number(1, 100)]
    one_each: Annotated[bool, Key("one_prize_each")] = True
    written_halves: Annotated[bool, Key("halves")] = False
    secret: Annotated[bytes, read_secret] = b""
    commitment: str | None
    awards: tuple[FiledAward, ...] | None
    written_uid: Annotated[UUID | None, Key("uid")]
    date: Annotated[str, date_text] = ""
    revision: Annotated[int | None, whole_number(0)]
    written_state: Annotated[Literal["planned", "open", "closed"] | None, Key("state")]
    terms: Annotated[dict[str, Any], read_terms] = field(default_factory=dict)
    trumps: Annotated[str, _read_trumps] = "HCDS"
    words: Annotated[tuple[str, str], row_of(Word, Word)] = ("", "")
    apart: tuple[tuple[int, int], ...] = ()
    shown: Annotated[Literal["always", "half", "after"], Key("standings_shown")] = "after"
    paper: Annotated[Literal["A4", "A5", "Letter"], Key("paper_size")] = "A4"
    draws: tuple[FiledDraw, ...] = ()

    @cached_property
    def scoring(self) -> Scoring:
        """The terms by which a round is scored."""
        return self.score.to_scoring(self.hands)

    @cached_property
    def points_table(self) -> PointsTable | None:
        """The table of points of the game; hands already played may have any contract."""
        table = self.score.build_points_table()
        return table and allow_all_contracts(table)

    @cached_property
    def played(self) -> tuple[PlayedRound, ...]:
        """The rounds in play or played."""
        return tuple(round_.as_played for round_ in self.filed_played)

    @property
    def all_rounds(self) -> tuple[FiledRound, ...]:
        """All rounds: those played or in play, then those still to be played."""
        return (*self.filed_played, *self.to_play)

    @property
    def cards(self) -> tuple[CardScore, ...]:
        """The totals of score cards."""
        return tuple(
            CardScore(total.number, total.part, total.total, total.rests)
            for total in self.totals
        )

    @property
    def at_round(self) -> int:
        """The last round that is in play or played; 0 before the first."""
        return max((round_.number for round_ in self.filed_played), default=0)

    @property
    def halves(self) -> bool:
        """Whether the halves of the evening have separate cards."""
        return self.written_halves or any(card.part == 2 for card in self.totals)

    @property
    def state(self) -> str:
        """The state of the drive; inferred from the rounds if the file leaves it out."""
        usual_state = "open" if self.at_round or self.totals else "planned"
        return self.written_state or (usual_state if self.awards is None else "closed")

    @property
    def uid(self) -> UUID:
        """The drive's global identifier; derived from its content where the file has none."""
        people = [f"{player.number} {player.name}" for player in self.players]
        secret = self.secret.hex() or self.commitment or ""
        content = [self.name, self.form.code, secret, *people]
        return self.written_uid or uuid5(UID_NAMESPACE, "\0".join(content))

    @cached_property
    def scores(self) -> DriveScores:
        """The input from which totals, ranking and prizes are computed."""
        return DriveScores(
            players={
                player.number: Competitor(
                    player.stay, player.role, player.club, player.fort, player.present
                )
                for player in self.players
                if not player.house
            },
            rounds=self.played,
            cards=self.cards,
            scoring=self.scoring,
            tie_breaks=self.score.ties,
            planned_rounds=self.rounds,
            halves=self.halves,
            half_ties=get_tie_rule(self.terms) is TieRule.HALF,
            hands=self._tally_hands(),
        )

    def _tally_hands(self) -> dict[PlayerId, HandTally]:
        """Return each player's contracts; nothing for a drive without a game."""
        if self.points_table is None:
            return {}
        return tally_hands(
            self.points_table,
            (
                PlayedHand(table.seats, hand.score, hand.contract)
                for round_ in self.filed_played
                for table in round_.filed_tables
                for hand in table.hands
            ),
        )

    def validate(self, at: JsonPlace) -> None:
        """Check that the parts of the file are consistent."""
        players = list(at.items("players", self.players))
        report_duplicates((place.key("number"), round_.number) for place, round_ in players)
        known_numbers = {player.number for player in self.players}
        _check_known(self._iter_player_numbers(at), known_numbers)
        self._check_rounds(at)
        house = {player.number for player in self.players if player.house}
        totals = list(at.items("totals", self.totals))
        _check_known(
            ((place.key("number"), total.number) for place, total in totals),
            known_numbers - house,
        )
        report_duplicates((place, (total.number, total.part)) for place, total in totals)
        for place, pair in at.items("apart", self.apart):
            if len({*pair}) != 2 or not known_numbers.issuperset(pair):
                place.report(_("two different players of the drive are needed."))

    def _iter_player_numbers(self, at: JsonPlace) -> Iterator[tuple[JsonPlace, object]]:
        """Yield every reference to a player's number with its place in the file."""
        for key, rounds in (("played", self.filed_played), ("to_play", self.to_play)):
            for place, round_ in at.items(key, rounds):
                yield from round_.iter_players(place)
        for place, player in at.items("players", self.players):
            if player.takes_over is not None:
                yield place.key("takes_over"), player.takes_over
        for place, draw in at.items("draws", self.draws):
            if draw.draw_input is not None:
                yield from (
                    (place.key("given"), number) for number in draw.draw_input.all_players
                )

    def _check_rounds(self, at: JsonPlace) -> None:
        for key, rounds in (("played", self.filed_played), ("to_play", self.to_play)):
            places = list(at.items(key, rounds))
            report_duplicates((place.key("round"), round_.number) for place, round_ in places)
            for place, round_ in places:
                if key == "to_play" and round_.number <= self.at_round:
                    place.key("round").report(
                        _("these rounds must follow those already played.")
                    )
                for at_table, table in place.items("tables", round_.filed_tables):
                    self._check_table(table, at_table)

    def _check_table(self, table: FiledTable, at: JsonPlace) -> None:
        if table.score and (fault := self.scoring.find_fault(table.score, table.extras)):
            at.report(fault)
        hands = list(at.items("hands", table.hands))
        report_duplicates((place.key("hand"), round_.hand) for place, round_ in hands)
        for place, round_ in hands:
            whole_number(1, self.hands)(round_.hand, place.key("hand"))
            if fault := self.scoring.hand_terms.find_fault(round_.score, round_.extras):
                place.report(fault)
            elif round_.contract:
                self._check_contract(round_, place)

    def _check_contract(self, hand: FiledHand, at: JsonPlace) -> None:
        """Check that the score of a hand is the points of its contract."""
        if self.points_table is None:
            at.key("contract").report(_("this drive has no game with contracts."))
            return
        settled = read_hand(hand.contract, at.key("contract"), self.points_table)
        if settled is not None and settled.points != hand.score:
            words = _("the contract gives %(points)s.")
            at.key("score").report(words, points=format_score(settled.points))


def _check_known(numbers: Iterator[tuple[JsonPlace, object]], known_numbers: set[int]) -> None:
    for at, number in numbers:
        if number not in known_numbers:
            at.report(_("player %(number)s not found."), number=number)


def parse_drive_file(
    document: str | Mapping[str, Any], format_: type[DriveFile] = DriveFile
) -> DriveFile:
    """Parse a drive's file, given as text or data; raise UnreadableDrive with the place.

    `format_` is `DriveFile`, or a subclass that adds a section.
    """
    data = decode_json(document, UnreadableDrive) if isinstance(document, str) else document
    if not can_be_stored(data):
        raise UnreadableDrive(_("The file contains invalid characters."))
    return read_document(data, format_, UnreadableDrive, format=FORMAT, allow_unknown_keys=True)
