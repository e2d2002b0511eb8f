"""The schema of a drive file, with all data to continue the drive on another server.

The name of a field is also its key in the file, unless its annotation has a `JsonKey` with
another name. docs/drives.md describes the format, and `drives.files.export` writes it. Drawn
rounds that are not in play yet are in `to_play`. Each item of `draws` contains the input of a
draw and the numbers of its rounds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from drives.draw.participants import PlayerId, Seats, read_player_id
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
from drives.scores.attendance import AttendedRounds
from drives.scores.drive_scores import Competitor, DriveScores
from drives.scores.rules import Scoring
from drives.scores.score_format import format_score
from drives.scores.sheets import PlayedRound, ScoreCardTotal, TableScore
from drives.scores.terms import ScoreTerms
from server.json_reader.decoder import decode_json
from server.json_reader.formats import (
    JsonKey,
    build_list_reader,
    build_row_reader,
    read_document,
    report_duplicates,
)
from server.json_reader.problems import JsonPath, can_be_stored
from server.json_reader.values import (
    build_converting_reader,
    build_number_or_text_reader,
    build_text_reader,
    build_whole_number_reader,
    read_anything,
    read_date_text,
)
from server.translation import gettext_noop

FORMAT, VERSION = "overplay-drive", 1
UID_NAMESPACE = UUID("0f9a1f5e-6f0c-5a0f-9d6f-64726976650a")
"""The namespace from which uids are derived for drives whose file has none."""
SUIT_CODES = "HCDSN"
FOUR_SEATS_READER = build_row_reader(
    int, int, int, int, description=gettext_noop("enter four seats for each table.")
)
PositiveNumber = Annotated[int, build_whole_number_reader(1, 1000)]
PlayerNumbers = tuple[int, ...]


def _read_trumps(value: Any, json_path: JsonPath) -> Any:
    """Read the trumps of a drive: "turned", "declared", or a cycle of suits such as "HCDS"."""
    if value in ("turned", "declared") or _is_suit_cycle(value):
        return value
    return json_path.report(
        _("trumps must be turned, declared, or a cycle of H, C, D, S and N.")
    )


def _read_trump_letters(value: Any, json_path: JsonPath) -> Any:
    """Read the trumps of a round, one letter for each hand; "" if the table decides."""
    if _is_suit_cycle(value):
        return value
    return json_path.report(_("trumps can only contain the letters H, C, D, S and N."))


def _is_suit_cycle(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 20 and set(value) <= set(SUIT_CODES)


ShortText = Annotated[str, build_text_reader(30, 0)]
GroupName = Annotated[
    str | None,
    build_number_or_text_reader(
        build_converting_reader(str, read_anything), build_text_reader()
    ),
]


@dataclass(frozen=True, kw_only=True)
class DriveFilePlayer:
    """A player in a drive file."""

    number: int
    name: str = ""
    role: Literal["first", "second"] | None
    club: GroupName
    fort: GroupName
    house: bool = False
    present: bool = True
    from_round: Annotated[int, build_whole_number_reader(0, 1000)] = 1
    to_round: Annotated[int | None, build_whole_number_reader(0, 1000)]
    stays_seated: bool = False
    takes_over: int | None

    @property
    def attended_rounds(self) -> AttendedRounds:
        """The first and last round of the player's stay."""
        return AttendedRounds(max(1, self.from_round), self.to_round)

    def validate(self, json_path: JsonPath) -> None:
        """Report a last round before the first one, and a player who replaces themselves."""
        if (
            self.to_round is not None
            and self.to_round < self.attended_rounds.first_round_number - 1
        ):
            json_path.report(_("the last round is before the first."))
        if self.takes_over == self.number:
            json_path.get_key_path("takes_over").report(
                _("a player cannot take over from themselves.")
            )


@dataclass(frozen=True, kw_only=True)
class DriveFileHand:
    """One hand of a table, in a drive in which each hand is scored separately."""

    hand: PositiveNumber
    score: PlayerNumbers
    extras: PlayerNumbers = ()
    contract: Annotated[Mapping[str, Any], read_anything] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DriveFileTable:
    """A table of a round; `score` is empty until a score is entered."""

    table: PositiveNumber
    seats: Annotated[tuple[int, int, int, int], FOUR_SEATS_READER]
    score: PlayerNumbers = ()
    extras: PlayerNumbers = ()
    hands: tuple[DriveFileHand, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DriveFileRound:
    """A round in a drive file, played or still to be played."""

    number: Annotated[int, JsonKey("round"), build_whole_number_reader(1, 1000)]
    tables_in_file: Annotated[
        tuple[DriveFileTable, ...], JsonKey("tables"), build_list_reader(DriveFileTable)
    ] = ()
    rest: tuple[int, ...] = ()
    trumps: Annotated[str | None, _read_trump_letters]

    @property
    def tables(self) -> dict[int, Seats]:
        """The four players of each table, by table number."""
        return {table.table: table.seats for table in self.tables_in_file}

    @property
    def played_round(self) -> PlayedRound:
        """The round as a `PlayedRound`, the input of the ranking."""
        table_scores = tuple(
            TableScore(table.table, table.seats, table.score, table.extras)
            for table in self.tables_in_file
        )
        return PlayedRound(self.number, table_scores, self.rest)

    def get_hands_by_table_and_hand_number(
        self, scoring: Scoring
    ) -> dict[tuple[int, int], DriveFileHand]:
        """Return the scores of single hands, by table number and hand number.

        If rounds have only one hand, the hand number is 0, which means the whole round.
        """
        return {
            (table.table, hand.hand if scoring.hands_per_round > 1 else 0): hand
            for table in self.tables_in_file
            for hand in table.hands
        }

    def iter_players(self, json_path: JsonPath) -> Iterator[tuple[JsonPath, int]]:
        """Yield the players who sit or rest, with their places in the file."""
        for table_path, table in json_path.iter_items("tables", self.tables_in_file):
            yield from table_path.iter_items("seats", table.seats)
        yield from json_path.iter_items("rest", self.rest)

    def validate(self, json_path: JsonPath) -> None:
        """Report tables and players that occur twice."""
        tables_with_paths = json_path.iter_items("tables", self.tables_in_file)
        report_duplicates(
            (table_path.get_key_path("table"), table.table)
            for table_path, table in tables_with_paths
        )
        report_duplicates(self.iter_players(json_path))


@dataclass(frozen=True, kw_only=True)
class DriveFileCard:
    """The total of a player's score card, or of a part of it."""

    number: int
    total: int
    part: Annotated[int, build_whole_number_reader(1, 100)] = 1
    rests: Annotated[int, build_whole_number_reader(0, 100)] = 0
    rows: PlayerNumbers = ()


@dataclass(frozen=True, kw_only=True)
class DriveFileAward:
    """A prize with its winner and the reason; there is no winner before a cut or a lot."""

    prize: PositiveNumber
    number: Annotated[PlayerId | None, read_player_id]
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class DriveFileDraw:
    """A draw: its kind, the first round drawn, its input, and the drawn rounds still in use."""

    kind: Literal["planned", "drawn", "moved", "given"]
    first_round: Annotated[int, JsonKey("first"), build_whole_number_reader(1, 1000)]
    given: dict[str, Any] = field(default_factory=dict)
    rounds: tuple[PositiveNumber, ...] = ()
    by: str = ""

    @cached_property
    def draw_input(self) -> DrawInput | None:
        """The input of the draw; None if seats were entered manually.

        Raises UnplayableDrive or, for values of a wrong type, errors such as TypeError.
        """
        return None if self.kind == "given" else parse_draw_input(self.given)

    def validate(self, json_path: JsonPath) -> None:
        """Check that the draw can be repeated."""
        try:
            _draw_input = self.draw_input
        except UnplayableDrive as problem:
            json_path.get_key_path("given").report(str(problem))
        except (AttributeError, KeyError, TypeError, ValueError):
            json_path.get_key_path("given").report(_("this isn’t valid input for a draw."))


@dataclass(frozen=True, kw_only=True)
class DriveFile:
    """The content of a drive file; `rounds` is the planned number of rounds."""

    version: Annotated[int, read_version]
    name: str
    form: Annotated[DriveForm, build_converting_reader(find_play_form, build_text_reader())]
    score: ScoreTerms
    hands: PositiveNumber = 1
    players: Annotated[
        tuple[DriveFilePlayer, ...], build_list_reader(DriveFilePlayer, min_length=1)
    ]
    played_rounds_in_file: Annotated[
        tuple[DriveFileRound, ...], JsonKey("played"), build_list_reader(DriveFileRound)
    ] = ()
    future_rounds: Annotated[tuple[DriveFileRound, ...], JsonKey("to_play")] = ()
    totals: tuple[DriveFileCard, ...] = ()
    prizes: tuple[PrizeLine, ...] = ()
    rounds: Annotated[int | None, build_whole_number_reader(1, 100)]
    has_one_prize_each: Annotated[bool, JsonKey("one_prize_each")] = True
    has_halves_in_file: Annotated[bool, JsonKey("halves")] = False
    secret: Annotated[bytes, read_secret] = b""
    commitment: str | None
    awards: tuple[DriveFileAward, ...] | None
    uid_in_file: Annotated[UUID | None, JsonKey("uid")]
    date: Annotated[str, read_date_text] = ""
    revision: Annotated[int | None, build_whole_number_reader(0)]
    state_in_file: Annotated[Literal["planned", "open", "closed"] | None, JsonKey("state")]
    terms: Annotated[dict[str, Any], read_terms] = field(default_factory=dict)
    trumps: Annotated[str, _read_trumps] = "HCDS"
    words: Annotated[tuple[str, str], build_row_reader(ShortText, ShortText)] = ("", "")
    apart: tuple[tuple[int, int], ...] = ()
    standings_visibility: Annotated[
        Literal["always", "half", "after"], JsonKey("standings_shown")
    ] = "after"
    paper_size: Annotated[Literal["A4", "A5", "Letter"], JsonKey("paper_size")] = "A4"
    draws: tuple[DriveFileDraw, ...] = ()

    @cached_property
    def scoring(self) -> Scoring:
        """The rules by which a round is scored."""
        return self.score.to_scoring(self.hands)

    @cached_property
    def points_table(self) -> PointsTable | None:
        """The points table of the game.

        It accepts contracts that are no longer played, because earlier hands may have them.
        """
        points_table = self.score.build_points_table()
        return points_table and allow_all_contracts(points_table)

    @cached_property
    def played_rounds(self) -> tuple[PlayedRound, ...]:
        """The rounds that are in play or have been played."""
        return tuple(round_.played_round for round_ in self.played_rounds_in_file)

    @property
    def all_rounds(self) -> tuple[DriveFileRound, ...]:
        """All rounds: those played or in play, then those still to be played."""
        return (*self.played_rounds_in_file, *self.future_rounds)

    @property
    def card_scores(self) -> tuple[ScoreCardTotal, ...]:
        """The totals of score cards."""
        return tuple(
            ScoreCardTotal(card.number, card.part, card.total, card.rests)
            for card in self.totals
        )

    @property
    def last_round_number(self) -> int:
        """The number of the last round that is in play or was played; 0 before round 1."""
        return max((round_.number for round_ in self.played_rounds_in_file), default=0)

    @property
    def has_halves(self) -> bool:
        """Whether each half of the evening has its own score cards."""
        return self.has_halves_in_file or any(card.part == 2 for card in self.totals)

    @property
    def state(self) -> str:
        """The state of the drive; inferred from the rounds if the file omits it."""
        inferred_state = "open" if self.last_round_number or self.totals else "planned"
        return self.state_in_file or (inferred_state if self.awards is None else "closed")

    @property
    def uid(self) -> UUID:
        """The drive's global identifier, derived from the content if the file has none."""
        people = [f"{player.number} {player.name}" for player in self.players]
        secret = self.secret.hex() or self.commitment or ""
        uid_parts = [self.name, self.form.code, secret, *people]
        return self.uid_in_file or uuid5(UID_NAMESPACE, "\0".join(uid_parts))

    @cached_property
    def scores(self) -> DriveScores:
        """The scores from which totals, ranking and prizes are computed."""
        return DriveScores(
            competitor_by_number={
                player.number: Competitor(
                    player.attended_rounds,
                    player.role,
                    player.club,
                    player.fort,
                    player.present,
                )
                for player in self.players
                if not player.house
            },
            rounds=self.played_rounds,
            cards=self.card_scores,
            scoring=self.scoring,
            tie_breaks=self.score.ties,
            planned_round_count=self.rounds,
            has_halves=self.has_halves,
            should_halve_ties=get_tie_rule(self.terms) is TieRule.HALF_POINTS,
            hand_tally_by_player=self._tally_hands(),
        )

    def _tally_hands(self) -> dict[PlayerId, HandTally]:
        """Count the contracts made and lost, by player; {} if the game has no contracts."""
        if self.points_table is None:
            return {}
        return tally_hands(
            self.points_table,
            (
                PlayedHand(table.seats, hand.score, hand.contract)
                for round_ in self.played_rounds_in_file
                for table in round_.tables_in_file
                for hand in table.hands
            ),
        )

    def validate(self, json_path: JsonPath) -> None:
        """Report contradictions between the sections of the file."""
        players_with_paths = list(json_path.iter_items("players", self.players))
        report_duplicates(
            (item_path.get_key_path("number"), player.number)
            for item_path, player in players_with_paths
        )
        known_numbers = {player.number for player in self.players}
        _check_player_numbers_exist(self._iter_player_numbers(json_path), known_numbers)
        self._check_rounds(json_path)
        house_player_numbers = {player.number for player in self.players if player.house}
        totals_with_paths = list(json_path.iter_items("totals", self.totals))
        _check_player_numbers_exist(
            (
                (item_path.get_key_path("number"), total.number)
                for item_path, total in totals_with_paths
            ),
            known_numbers - house_player_numbers,
        )
        report_duplicates(
            (item_path, (total.number, total.part)) for item_path, total in totals_with_paths
        )
        for item_path, player_numbers in json_path.iter_items("apart", self.apart):
            if len({*player_numbers}) != 2 or not known_numbers.issuperset(player_numbers):
                item_path.report(_("enter two different players from this drive."))

    def _iter_player_numbers(self, json_path: JsonPath) -> Iterator[tuple[JsonPath, object]]:
        """Yield every reference to a player's number with its place in the file."""
        for key, rounds in (
            ("played", self.played_rounds_in_file),
            ("to_play", self.future_rounds),
        ):
            for item_path, round_ in json_path.iter_items(key, rounds):
                yield from round_.iter_players(item_path)
        for item_path, player in json_path.iter_items("players", self.players):
            if player.takes_over is not None:
                yield item_path.get_key_path("takes_over"), player.takes_over
        for item_path, draw in json_path.iter_items("draws", self.draws):
            if draw.draw_input is not None:
                yield from (
                    (item_path.get_key_path("given"), player_number)
                    for player_number in draw.draw_input.all_players
                )

    def _check_rounds(self, json_path: JsonPath) -> None:
        for key, rounds in (
            ("played", self.played_rounds_in_file),
            ("to_play", self.future_rounds),
        ):
            rounds_with_paths = list(json_path.iter_items(key, rounds))
            report_duplicates(
                (round_path.get_key_path("round"), round_.number)
                for round_path, round_ in rounds_with_paths
            )
            for round_path, round_ in rounds_with_paths:
                if key == "to_play" and round_.number <= self.last_round_number:
                    round_path.get_key_path("round").report(
                        _("these rounds must come after those already played.")
                    )
                for table_path, table in round_path.iter_items("tables", round_.tables_in_file):
                    self._check_table(table, table_path)

    def _check_table(self, table: DriveFileTable, json_path: JsonPath) -> None:
        if table.score and (error := self.scoring.find_score_error(table.score, table.extras)):
            json_path.report(error)
        hands_with_paths = list(json_path.iter_items("hands", table.hands))
        report_duplicates(
            (hand_path.get_key_path("hand"), hand.hand) for hand_path, hand in hands_with_paths
        )
        hand_scoring = self.scoring.single_hand_scoring
        for hand_path, hand in hands_with_paths:
            build_whole_number_reader(1, self.hands)(hand.hand, hand_path.get_key_path("hand"))
            if error := hand_scoring.find_score_error(hand.score, hand.extras):
                hand_path.report(error)
            elif hand.contract:
                self._check_contract(hand, hand_path)

    def _check_contract(self, hand: DriveFileHand, json_path: JsonPath) -> None:
        """Report a hand whose score differs from the points of its contract."""
        contract_path = json_path.get_key_path("contract")
        if self.points_table is None:
            contract_path.report(_("this drive’s game has no contracts."))
            return
        settlement = read_hand(hand.contract, contract_path, self.points_table)
        if settlement is not None and settlement.points != hand.score:
            score_path = json_path.get_key_path("score")
            message = _("the contract gives %(points)s.")
            score_path.report(message, points=format_score(settlement.points))


def _check_player_numbers_exist(
    numbers_with_paths: Iterator[tuple[JsonPath, object]], known_numbers: set[int]
) -> None:
    for json_path, player_number in numbers_with_paths:
        if player_number not in known_numbers:
            json_path.report(_("player %(number)s not found."), number=player_number)


def parse_drive_file(
    document: str | Mapping[str, Any], file_class: type[DriveFile] = DriveFile
) -> DriveFile:
    """Parse a drive file, given as text or JSON data.

    Raises UnreadableDrive, whose message begins with the path of the invalid value.
    `file_class` is `DriveFile`, or a subclass that adds a section.
    """
    file_data = (
        decode_json(document, UnreadableDrive) if isinstance(document, str) else document
    )
    if not can_be_stored(file_data):
        raise UnreadableDrive(_("The file contains invalid characters."))
    return read_document(
        file_data, file_class, UnreadableDrive, format=FORMAT, should_ignore_unknown_keys=True
    )
