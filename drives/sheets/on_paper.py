"""The data of a drive for its papers, from a file or from rows, without database access."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from drives.draw.participants import PlayerId
from drives.files.drive_file import DriveEntry, DriveFile, FiledRound
from drives.files.plan_output import DEFAULT_TRUMPS
from drives.files.standings import compute_awards
from drives.games.contracts import PointsTable
from drives.moves.table_result import Side, TableResult
from drives.play_forms import DriveForm
from drives.scores.rules import ScoreKind
from printing.qr import QrCode
from printing.values import Heading

DEFAULT_HANDS = 24
"""The number of hands on cards where the length of the evening is unknown."""


class PlayerOnPaper(NamedTuple):
    """The holder of a score card; `role` is the house's word for first or second."""

    number: int
    name: str
    role: str = ""
    fort: str = ""
    house: bool = False
    code: QrCode | None = None  # opens the player's own page


Tables = tuple[tuple[int, tuple[int, int, int, int]], ...]


class RoundOnPaper(NamedTuple):
    """A round: the trumps of its hands in order, and its seats, if they are known."""

    number: int
    trumps: str = ""  # letters of suits, N for none; empty where the table turns or declares
    tables: Tables = ()
    rest: tuple[int, ...] = ()


class AwardOnPaper(NamedTuple):
    """A prize and its winner; without a number there is no winner yet."""

    prize: int
    words: str
    number: int | None = None
    name: str = ""
    reason: str = ""


class RoundSeat(NamedTuple):
    """A player's seat in a round, with his partner and the two opponents."""

    table: int
    seat: int
    partner: int
    opponents: tuple[int, int]


HALF_TABLE = 0
"""The half table, where players who are left over rest once: it has no number."""


class TableMoves(NamedTuple):
    """The next tables of a table's four players if side A has won; None for those who stay.

    At the half table they are its firsts and then its seconds, as many as rest there.
    """

    table: int
    next_tables: tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True, kw_only=True)
class DriveOnPaper:
    """All data of a drive's papers."""

    heading: Heading
    form: str
    title: str  # of the form
    custom: str  # the call, in one sentence
    hands: int
    kind: ScoreKind
    rounds: tuple[RoundOnPaper, ...]
    players: tuple[PlayerOnPaper, ...]
    tables: int
    table_codes: Mapping[int, QrCode] = field(default_factory=dict)  # open the tables' pages
    roles: tuple[str, str] | None = None  # the house's words, where the form has roles
    table_moves: tuple[TableMoves, ...] = ()  # where results move the players
    awards: tuple[AwardOnPaper, ...] = ()
    points: PointsTable | None = None  # of a game with contracts
    copies: int = 1  # of each score card
    cards: frozenset[int] | None = None  # only the cards of these numbers
    at: int | None = None  # the round of the list of seats; default: the last known
    by_number: Mapping[int, PlayerOnPaper] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the players by their numbers."""
        object.__setattr__(
            self, "by_number", {player.number: player for player in self.players}
        )

    @property
    def seated_rounds(self) -> tuple[RoundOnPaper, ...]:
        """The rounds whose seats are known."""
        return tuple(round_ for round_ in self.rounds if round_.tables or round_.rest)

    @property
    def has_all_seats(self) -> bool:
        """Whether the seats of all rounds, of more than one, can be printed on the cards."""
        return len(self.seated_rounds) > 1 and len(self.seated_rounds) == len(self.rounds)

    @property
    def row_title(self) -> str:
        """The title of a line of a score card: one hand, or a round of several."""
        return pgettext("one deal", "Hand") if self.hands == 1 else _("Round")

    @property
    def figure_title(self) -> str:
        """The title of the scores: tricks or points."""
        return _("Tricks") if self.kind is ScoreKind.TRICKS else _("Points")

    @cached_property
    def seats_by_player(self) -> dict[int, dict[int, RoundSeat]]:
        """The seats by player and round; players who rest have no seat."""
        seats_by_round: dict[int, dict[int, RoundSeat]] = {
            each.number: {} for each in self.players
        }
        for round_ in self.rounds:
            for table, seats in round_.tables:
                for at, player in enumerate(seats):
                    opponents = (seats[(at + 1) % 4], seats[(at + 3) % 4])
                    place = RoundSeat(table, at + 1, seats[(at + 2) % 4], opponents)
                    seats_by_round.setdefault(player, {})[round_.number] = place
        return seats_by_round

    def format_player(self, number: int) -> str:
        """Return a player's number and name."""
        name = self.get_name(number)
        number_text = _("Stand-in") if number < 0 else str(number)
        return f"{number_text} {name}".strip()

    def get_name(self, number: int) -> str:
        """Return a player's name; "" where there is only a number."""
        player = self.by_number.get(number)
        return player.name if player else ""


def compute_trumps_by_round(
    hands: int, rounds: int, cycle: str = "".join(DEFAULT_TRUMPS)
) -> list[str]:
    """Return the trumps of each round; the cycle continues from hand to hand."""
    if not cycle:
        return [""] * rounds
    return [
        "".join(cycle[(first + hand) % len(cycle)] for hand in range(hands))
        for first in range(0, hands * rounds, hands)
    ]


def compute_table_moves(
    form: DriveForm, terms: Mapping[str, object], tables: int, resting: int = 0
) -> tuple[TableMoves, ...]:
    """Return the moves of each table's players if side A has won; () for forms without moves.

    The form itself computes them, with players named after their places. Resting players are at
    the half table, which is a stop on every player's way.
    """
    if form.move_players is None or "moves" not in form.terms or tables < 2:
        return ()
    now = [
        TableResult(at, tuple(4 * at + seat for seat in range(4)), Side.A)
        for at in range(1, tables + 1)
    ]
    left_over = range(4 * (tables + 1), 4 * (tables + 1) + resting)
    firsts, seconds = left_over[: (resting + 1) // 2], left_over[(resting + 1) // 2 :]
    half_seats = (*firsts, *seconds, *[None] * (len(firsts) - len(seconds)))
    half_tables = [TableResult(tables + 1, half_seats)] if resting else []
    next_round = form.move_players([*now, *half_tables], dict(terms), None)
    at_table: dict[PlayerId, int] = {
        player: number for number, seats in enumerate(next_round.tables, 1) for player in seats
    } | dict.fromkeys(next_round.rest, HALF_TABLE)
    moves = []
    for table in now:
        one, two, three, four = (
            None if at_table[player] == table.number else at_table[player]
            for player in table.seats
            if player is not None
        )
        moves.append(TableMoves(table.number, (one, two, three, four)))
    if resting:
        one, two = _find_half_table_moves(firsts, at_table)
        three, four = _find_half_table_moves(seconds, at_table)
        moves.append(TableMoves(HALF_TABLE, (one, two, three, four)))
    return tuple(moves)


def _find_half_table_moves(
    people: Sequence[int], at_table: Mapping[PlayerId, int]
) -> tuple[int | None, int | None]:
    """Return the next tables of the two seats of a role at the half table; None if empty."""
    one, two = [*(at_table[person] for person in people), None, None][:2]
    return one, two


def build_from_file(
    drive: DriveFile,
    *,
    heading: Heading,
    terms: Mapping[str, object],
    custom: str = "",
    cycle: str = "".join(DEFAULT_TRUMPS),
    roles: tuple[str, str] | None = None,
    later: Sequence[FiledRound] = (),
    trumps: Mapping[int, str] | None = None,
) -> DriveOnPaper:
    """Return the values of a drive's file for its papers.

    `custom` replaces the form's own call, `roles` are the house's words for first and second.
    `later` are rounds that are drawn and not in play yet. The `cycle` of trumps applies where a
    round has no entry in `trumps`.
    """
    seats = {round_.number: _build_tables(round_) for round_ in later} | {
        round_.number: (
            tuple((sheet.table, _to_four_numbers(sheet.seats)) for sheet in round_.sheets),
            tuple(_to_numbers(round_.rest)),
        )
        for round_ in drive.played
    }
    rounds = max([drive.rounds or 0, *seats]) or max(1, DEFAULT_HANDS // drive.scoring.hands)
    default_trumps = compute_trumps_by_round(drive.scoring.hands, rounds, cycle)
    roles = (roles or (_("1st"), _("2nd"))) if drive.form.has_roles else None
    paper_rounds = tuple(
        RoundOnPaper(
            number,
            (trumps or {}).get(number, default_trumps[number - 1]),
            *seats.get(number, ((), ())),
        )
        for number in range(1, rounds + 1)
    )
    tables = max(
        [len(drive.players) // 4, *(t for round_ in paper_rounds for t, _four in round_.tables)]
    )
    resting = (
        len(paper_rounds[0].rest) if paper_rounds[0].tables else len(drive.players) - 4 * tables
    )
    return DriveOnPaper(
        heading=heading,
        form=drive.form.code,
        title=drive.form.title,
        custom=custom or drive.form.format_call(dict(terms)),
        hands=drive.scoring.hands,
        kind=drive.scoring.kind,
        points=drive.score.build_points_table(),
        rounds=paper_rounds,
        players=tuple(_build_player(player, roles) for player in drive.players),
        tables=tables,
        roles=roles,
        table_moves=compute_table_moves(drive.form, terms, tables, resting),
        awards=_build_awards(drive),
    )


def _build_tables(filed_round: FiledRound) -> tuple[Tables, tuple[int, ...]]:
    return tuple(
        (table, _to_four_numbers(seats)) for table, seats in filed_round.tables.items()
    ), filed_round.rest


def _build_player(entry: DriveEntry, roles: tuple[str, str] | None) -> PlayerOnPaper:
    words = dict(zip(("first", "second"), roles or ("", ""), strict=True))
    return PlayerOnPaper(
        number=entry.number,
        name=entry.name,
        role=words.get(entry.role or "", ""),
        fort=entry.fort or "",
        house=entry.house,
    )


def _to_numbers(players: Sequence[PlayerId]) -> list[int]:
    return [player for player in players if isinstance(player, int)]


def _to_four_numbers(seats: Sequence[PlayerId]) -> tuple[int, int, int, int]:
    one, two, three, four = _to_numbers(seats)
    return one, two, three, four


def _build_awards(drive: DriveFile) -> tuple[AwardOnPaper, ...]:
    """Return the awards once there are scores; before that the prizes without winners."""
    if not any(
        sheet.score for prize_line in drive.played for sheet in prize_line.sheets
    ) and not (drive.cards):
        return tuple(
            AwardOnPaper(number, prize.words)
            for number, prize in enumerate(drive.prizes, start=1)
            for _each in (prize.places or range(prize.count))
        )
    names = {entry.number: entry.name for entry in drive.players}
    return tuple(
        AwardOnPaper(
            prize=award.prize,
            words=drive.prizes[award.prize - 1].words,
            number=award.number if isinstance(award.number, int) else None,
            name=names.get(award.number, "") if isinstance(award.number, int) else "",
            reason=award.reason,
        )
        for award in compute_awards(drive)
    )
