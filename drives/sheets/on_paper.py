"""The data of a drive for its papers, without access to the database.

`build_printed_drive_from_file` builds it from a drive file, and `drives.sheets.printing` from
the database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from drives.draw.participants import PlayerId
from drives.files.drive_file import DriveFile, DriveFilePlayer, DriveFileRound
from drives.files.plan_output import DEFAULT_TRUMPS
from drives.files.standings import compute_awards
from drives.games.contracts import PointsTable
from drives.moves.table_result import Side, TableResult
from drives.play_forms import DriveForm
from drives.scores.rules import ScoreKind
from printing.qr import QrCode
from printing.values import Heading

DEFAULT_HAND_COUNT = 24
"""The number of hands on a score card if the number of rounds is unknown."""


class PrintedPlayer(NamedTuple):
    """The holder of a score card; `role` is the club's word for first or second."""

    number: int
    name: str
    role: str = ""
    fort: str = ""
    is_house: bool = False
    code: QrCode | None = None  # the QR code of the player's own page


NumberedTables = tuple[tuple[int, tuple[int, int, int, int]], ...]
"""Each table's number, and the numbers of its four players in seat order."""


class PrintedRound(NamedTuple):
    """A round with its trumps and, if they are known, its seats."""

    number: int
    trumps: str = ""  # a letter for each hand, N for no trumps; "" if the table decides
    tables: NumberedTables = ()
    resting_players: tuple[int, ...] = ()


class PrintedAward(NamedTuple):
    """A prize with the number and name of its winner; `number` is None without a winner."""

    prize_number: int
    prize_text: str
    number: int | None = None
    name: str = ""
    reason: str = ""


class RoundSeat(NamedTuple):
    """A player's seat in a round, with the numbers of the partner and the two opponents."""

    table_number: int
    seat_number: int
    partner_number: int
    opponents: tuple[int, int]


HALF_TABLE_NUMBER = 0
"""The table number of the half table, where players rest for a round."""


class TableMoves(NamedTuple):
    """The next tables of a table's four players if side A has won; None for those who stay.

    At the half table, the first two values belong to the resting firsts, the other two to the
    resting seconds.
    """

    table_number: int
    next_tables: tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True, kw_only=True)
class PrintedDrive:
    """All data of a drive's papers."""

    heading: Heading
    form_code: str
    title: str  # the title of the type of drive
    moves_text: str  # the rules of moves, as they are called
    hands_per_round: int
    score_kind: ScoreKind
    rounds: tuple[PrintedRound, ...]
    players: tuple[PrintedPlayer, ...]
    table_count: int
    qr_codes_by_table: Mapping[int, QrCode] = field(
        default_factory=dict
    )  # the QR codes of the tables' pages, by table
    roles: tuple[str, str] | None = (
        None  # the club's words for the roles; None if this type of drive has no roles
    )
    table_moves: tuple[TableMoves, ...] = ()  # empty unless results decide who moves
    awards: tuple[PrintedAward, ...] = ()
    points: PointsTable | None = None  # the points table of a game with contracts
    copy_count: int = 1  # the number of copies of each score card
    cards: frozenset[int] | None = None  # the numbers of the cards to print; None means all
    seat_list_round: int | None = (
        None  # the round that the list of seats shows; None means the last seated round
    )
    players_by_number: Mapping[int, PrintedPlayer] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Index the players by their numbers."""
        object.__setattr__(
            self, "players_by_number", {player.number: player for player in self.players}
        )

    @property
    def seated_rounds(self) -> tuple[PrintedRound, ...]:
        """The rounds whose seats are known."""
        return tuple(
            round_ for round_ in self.rounds if round_.tables or round_.resting_players
        )

    @property
    def has_all_seats(self) -> bool:
        """Whether there are several rounds and the seats of all of them are known."""
        return len(self.seated_rounds) > 1 and len(self.seated_rounds) == len(self.rounds)

    @property
    def has_trumps(self) -> bool:
        """Whether the trumps are fixed before play; otherwise the tables decide them."""
        return any(round_.trumps for round_ in self.rounds)

    @property
    def row_title(self) -> str:
        """The title of the column that numbers the rows of a score card: hands or rounds."""
        return pgettext("one deal", "Hand") if self.hands_per_round == 1 else _("Round")

    @property
    def score_column_title(self) -> str:
        """The title of the column with scores: tricks or points."""
        return _("Tricks") if self.score_kind is ScoreKind.TRICKS else _("Points")

    @cached_property
    def seats_by_player(self) -> dict[int, dict[int, RoundSeat]]:
        """The seats by player number and round number; players who rest have no seat."""
        seat_by_player_and_round: dict[int, dict[int, RoundSeat]] = {
            player.number: {} for player in self.players
        }
        for round_ in self.rounds:
            for table_number, seats in round_.tables:
                for seat_index, player in enumerate(seats):
                    opponents = (seats[(seat_index + 1) % 4], seats[(seat_index + 3) % 4])
                    seat = RoundSeat(
                        table_number, seat_index + 1, seats[(seat_index + 2) % 4], opponents
                    )
                    seat_by_player_and_round.setdefault(player, {})[round_.number] = seat
        return seat_by_player_and_round

    def format_player(self, player_number: int) -> str:
        """Return a player's number and name."""
        name = self.get_name(player_number)
        number_text = _("Stand-in") if player_number < 0 else str(player_number)
        return f"{number_text} {name}".strip()

    def get_name(self, player_number: int) -> str:
        """Return a player's name; "" if the player has only a number."""
        player = self.players_by_number.get(player_number)
        return player.name if player else ""


def compute_trumps_by_round(
    hand_count: int, round_count: int, cycle: str = "".join(DEFAULT_TRUMPS)
) -> list[str]:
    """Return the trumps of each round; the cycle continues from hand to hand."""
    if not cycle:
        return [""] * round_count
    return [
        "".join(
            cycle[(first_hand_index + hand_index) % len(cycle)]
            for hand_index in range(hand_count)
        )
        for first_hand_index in range(0, hand_count * round_count, hand_count)
    ]


def compute_table_moves(
    play_form: DriveForm,
    form_terms: Mapping[str, object],
    table_count: int,
    resting_player_count: int = 0,
) -> tuple[TableMoves, ...]:
    """Return where the four players of each table go next if side A has won.

    The result is () if results do not decide who moves. If players rest, the half table, where
    they wait for the next round, is listed too.
    """
    if play_form.move_players is None or "moves" not in play_form.terms or table_count < 2:
        return ()
    current_tables = [
        TableResult(table_number, tuple(4 * table_number + seat for seat in range(4)), Side.A)
        for table_number in range(1, table_count + 1)
    ]
    resting_numbers = range(4 * (table_count + 1), 4 * (table_count + 1) + resting_player_count)
    resting_first_role_numbers, resting_second_role_numbers = (
        resting_numbers[: (resting_player_count + 1) // 2],
        resting_numbers[(resting_player_count + 1) // 2 :],
    )
    half_table_seats = (
        *resting_first_role_numbers,
        *resting_second_role_numbers,
        *[None] * (len(resting_first_role_numbers) - len(resting_second_role_numbers)),
    )
    half_tables = (
        [TableResult(table_count + 1, half_table_seats)] if resting_player_count else []
    )
    next_round = play_form.move_players([*current_tables, *half_tables], dict(form_terms), None)
    next_table_by_player: dict[PlayerId, int] = {
        player: table_number
        for table_number, seats in enumerate(next_round.tables, 1)
        for player in seats
    } | dict.fromkeys(next_round.resting_players, HALF_TABLE_NUMBER)
    moves = []
    for table in current_tables:
        next_table_1, next_table_2, next_table_3, next_table_4 = (
            None
            if next_table_by_player[player] == table.number
            else next_table_by_player[player]
            for player in table.seats
            if player is not None
        )
        moves.append(
            TableMoves(table.number, (next_table_1, next_table_2, next_table_3, next_table_4))
        )
    if resting_player_count:
        next_table_1, next_table_2 = _find_half_table_moves(
            resting_first_role_numbers, next_table_by_player
        )
        next_table_3, next_table_4 = _find_half_table_moves(
            resting_second_role_numbers, next_table_by_player
        )
        moves.append(
            TableMoves(
                HALF_TABLE_NUMBER, (next_table_1, next_table_2, next_table_3, next_table_4)
            )
        )
    return tuple(moves)


def _find_half_table_moves(
    resting_numbers: Sequence[int], next_table_by_player: Mapping[PlayerId, int]
) -> tuple[int | None, int | None]:
    """Return the next tables of the resting players of one role; None for an empty seat."""
    first_player_next_table, second_player_next_table = [
        *(next_table_by_player[player_number] for player_number in resting_numbers),
        None,
        None,
    ][:2]
    return first_player_next_table, second_player_next_table


def build_printed_drive_from_file(
    drive: DriveFile,
    *,
    heading: Heading,
    form_terms: Mapping[str, object],
    moves_text: str = "",
    cycle: str = "".join(DEFAULT_TRUMPS),
    roles: tuple[str, str] | None = None,
    later_rounds: Sequence[DriveFileRound] = (),
    trumps_by_round: Mapping[int, str] | None = None,
) -> PrintedDrive:
    """Return the data for the papers of a drive in a drive file.

    `moves_text` replaces the usual call of the type of drive. `roles` are the club's words for
    firsts and seconds. `later_rounds` are rounds that are drawn and not in play yet. A round
    that is not in `trumps_by_round` has the trumps of the `cycle`.
    """
    seats_by_round = {round_.number: _build_tables(round_) for round_ in later_rounds} | {
        round_.number: (
            tuple(
                (sheet.table_number, _unpack_seat_numbers(sheet.seats))
                for sheet in round_.sheets
            ),
            tuple(_select_card_numbers(round_.resting_players)),
        )
        for round_ in drive.played_rounds
    }
    round_count = max([drive.rounds or 0, *seats_by_round]) or max(
        1, DEFAULT_HAND_COUNT // drive.scoring.hands_per_round
    )
    default_trumps = compute_trumps_by_round(drive.scoring.hands_per_round, round_count, cycle)
    roles = (roles or (_("1st"), _("2nd"))) if drive.form.has_roles else None
    paper_rounds = tuple(
        PrintedRound(
            round_number,
            (trumps_by_round or {}).get(round_number, default_trumps[round_number - 1]),
            *seats_by_round.get(round_number, ((), ())),
        )
        for round_number in range(1, round_count + 1)
    )
    table_count = max(
        [
            len(drive.players) // 4,
            *(
                table_number
                for round_ in paper_rounds
                for table_number, _seat_numbers in round_.tables
            ),
        ]
    )
    resting_player_count = (
        len(paper_rounds[0].resting_players)
        if paper_rounds[0].tables
        else len(drive.players) - 4 * table_count
    )
    return PrintedDrive(
        heading=heading,
        form_code=drive.form.code,
        title=drive.form.title,
        moves_text=moves_text or drive.form.format_call(dict(form_terms)),
        hands_per_round=drive.scoring.hands_per_round,
        score_kind=drive.scoring.kind,
        points=drive.score.build_points_table(),
        rounds=paper_rounds,
        players=tuple(_build_player(player, roles) for player in drive.players),
        table_count=table_count,
        roles=roles,
        table_moves=compute_table_moves(
            drive.form, form_terms, table_count, resting_player_count
        ),
        awards=_build_awards(drive),
    )


def _build_tables(file_round: DriveFileRound) -> tuple[NumberedTables, tuple[int, ...]]:
    return tuple(
        (table_number, _unpack_seat_numbers(seats))
        for table_number, seats in file_round.tables.items()
    ), file_round.rest


def _build_player(file_player: DriveFilePlayer, roles: tuple[str, str] | None) -> PrintedPlayer:
    word_by_role = dict(zip(("first", "second"), roles or ("", ""), strict=True))
    return PrintedPlayer(
        number=file_player.number,
        name=file_player.name,
        role=word_by_role.get(file_player.role or "", ""),
        fort=file_player.fort or "",
        is_house=file_player.house,
    )


def _select_card_numbers(players: Sequence[PlayerId]) -> list[int]:
    return [player for player in players if isinstance(player, int)]


def _unpack_seat_numbers(seats: Sequence[PlayerId]) -> tuple[int, int, int, int]:
    player_1, player_2, player_3, player_4 = _select_card_numbers(seats)
    return player_1, player_2, player_3, player_4


def _build_awards(drive: DriveFile) -> tuple[PrintedAward, ...]:
    """Return the awards or, before any score is entered, the prizes without winners."""
    if not any(
        sheet.score for played_round in drive.played_rounds for sheet in played_round.sheets
    ) and not (drive.card_scores):
        return tuple(
            PrintedAward(prize_number, prize.words)
            for prize_number, prize in enumerate(drive.prizes, start=1)
            for _each in (prize.places or range(prize.count))
        )
    name_by_number = {file_player.number: file_player.name for file_player in drive.players}
    return tuple(
        PrintedAward(
            prize_number=award.prize_number,
            prize_text=drive.prizes[award.prize_number - 1].words,
            number=award.player_number if isinstance(award.player_number, int) else None,
            name=name_by_number.get(award.player_number, "")
            if isinstance(award.player_number, int)
            else "",
            reason=award.reason,
        )
        for award in compute_awards(drive)
    )
