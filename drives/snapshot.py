"""A drive loaded with all its rows: players, seats and scores.

All computations, pages and files of a drive are made from this snapshot.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from drives.contract_words import apply_contract_words, load_contract_words
from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats
from drives.games.contracts import PointsTable
from drives.games.hand_tallies import HandTally, PlayedHand, tally_hands
from drives.models import CardTotal, Drive, DrivePlayer, Round, Seat, Sheet
from drives.moves.table_result import Role
from drives.play_forms import DriveForm, find_play_form
from drives.play_forms.ties import TieRule, get_tie_rule
from drives.scores.drive_scores import Competitor, DriveScores
from drives.scores.rules import Scoring
from drives.scores.sheets import CardScore, PlayedRound, TableScore
from drives.scores.terms import parse_points_table, parse_scoring

SIDES = "AB"


@dataclass(frozen=True, kw_only=True)
class RoundSnapshot:
    """One round: its tables by number, the players who rest, and the scores so far."""

    row: Round
    tables: Mapping[int, Seats]
    rest: tuple[int, ...]
    sheets: Mapping[tuple[int, int], Sheet]

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.row.number

    @property
    def as_drawn(self) -> SeatedRound:
        """The round as a value for draws."""
        return SeatedRound(tuple(self.tables.values()), self.rest)

    @property
    def as_played(self) -> PlayedRound:
        """The round as a value for totals; the scores of single hands are added up."""
        sheets = [
            TableScore(table, seats, *self.compute_table_score(table))
            for table, seats in self.tables.items()
        ]
        return PlayedRound(self.number, tuple(sheets), self.rest)

    @property
    def is_scored(self) -> bool:
        """Whether the round has a score."""
        return any(sheet.score for sheet in self.sheets.values())

    def find_seat(self, number: int) -> tuple[int, int] | None:
        """Return the table and seat of a player; None if he rests or is absent."""
        for table, seats in self.tables.items():
            if number in seats:
                return table, seats.index(number) + 1
        return None

    def count_hands_entered(self, table: int, hands: int) -> int:
        """Count the hands entered for a table; a sheet of the round counts as all hands."""
        sheets = [s for (at, _hand), s in self.sheets.items() if at == table and s.score]
        return hands if any(sheet.hand == 0 for sheet in sheets) else len(sheets)

    def compute_table_score(self, table: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return a table's score so far, by side or by seat, and its extras."""
        round_sheet = self.sheets.get((table, 0))
        if round_sheet is not None and round_sheet.score:
            return tuple(round_sheet.score), tuple(round_sheet.extras)
        sheets = [
            s for (at, hand), s in self.sheets.items() if at == table and hand and s.score
        ]
        score = tuple(map(sum, zip(*(sheet.score for sheet in sheets), strict=True)))
        extras = [sheet.extras for sheet in sheets if sheet.extras]
        return score, tuple(map(sum, zip(*extras, strict=True)))


@dataclass(frozen=True, kw_only=True)
class DriveSnapshot:
    """A drive with all its rows, by the numbers of its players and rounds."""

    drive: Drive
    players: Mapping[int, DrivePlayer]
    rounds: Mapping[int, RoundSnapshot]
    totals: Sequence[CardTotal]

    @cached_property
    def form(self) -> DriveForm:
        """The play form, which decides how players move after each round."""
        return find_play_form(self.drive.form)

    @cached_property
    def scoring(self) -> Scoring:
        """The rules by which the drive is scored."""
        return parse_scoring(self.drive.score, self.drive.hands)

    @cached_property
    def points_table(self) -> PointsTable | None:
        """The table of points of the drive's game; None without a game."""
        return parse_points_table(self.drive.score)

    @cached_property
    def worded_points_table(self) -> PointsTable | None:
        """The table of points in the club's words, for readers; one query in a game."""
        if self.points_table is None:
            return None
        words = load_contract_words(self.drive.club_id)
        return apply_contract_words(self.points_table, words)

    @cached_property
    def scores(self) -> DriveScores:
        """The input from which its totals, ranking and check of totals are computed."""
        drive = self.drive
        return DriveScores(
            players={
                number: Competitor(
                    player.stay,
                    player.role or None,
                    player.of_club or None,
                    player.fort or None,
                    player.present,
                )
                for number, player in self.players.items()
                if not player.house
            },
            rounds=[
                round_.as_played
                for number, round_ in self.rounds.items()
                if number <= drive.at_round
            ],
            cards=[
                CardScore(total.player.number, total.part, total.total, total.rests)
                for total in self.totals
                if total.total is not None and not self._is_check(total)
            ],
            scoring=self.scoring,
            tie_breaks=drive.score.get("ties", ()),
            planned_rounds=drive.rounds,
            halves=drive.halves,
            half_ties=get_tie_rule(drive.terms) is TieRule.HALF,
            hands=self._tally_hands(),
        )

    def _is_check(self, card: CardTotal) -> bool:
        """Return whether a card only checks points: in a game whose hands its tables entered.

        Such a total is already in the tables' scores.
        """
        if self.points_table is None:
            return False
        seats = ((each, each.find_seat(card.player.number)) for each in self.rounds.values())
        return any(seat and round_.compute_table_score(seat[0])[0] for round_, seat in seats)

    def _tally_hands(self) -> dict[PlayerId, HandTally]:
        """Return each player's contracts; nothing for a drive without a game."""
        if self.points_table is None:
            return {}
        return tally_hands(
            self.points_table,
            (
                PlayedHand(round_snapshot.tables[table], sheet.score, sheet.contract)
                for number, round_snapshot in self.rounds.items()
                if number <= self.drive.at_round
                for (table, hand), sheet in round_snapshot.sheets.items()
                if sheet.score
                and table in round_snapshot.tables
                and (hand or self.drive.hands == 1)
            ),
        )

    @cached_property
    def ranked_players(self) -> list[DrivePlayer]:
        """All players in the ranking, without house players and absent players."""
        return [
            player
            for player in self.players.values()
            if not player.house and not player.stay.is_empty
        ]

    @property
    def current_round(self) -> RoundSnapshot | None:
        """The round in play."""
        return self.rounds.get(self.drive.at_round)

    @property
    def table_count(self) -> int:
        """The number of tables of the round in play; before play, the number that the players
        fill.
        """
        return (
            len(self.current_round.tables)
            if self.current_round is not None
            else len(self.list_present_players(1)) // 4
        )

    @property
    def last_round_number(self) -> int:
        """The number of the last existing round; 0 if there are no rounds."""
        return max(self.rounds, default=0)

    @property
    def planned_round_count(self) -> int:
        """The number of planned rounds; the number of existing rounds if none is planned."""
        return self.drive.rounds or self.last_round_number

    def list_present_players(self, number: int) -> list[DrivePlayer]:
        """Return the players who take part in a round, including house players."""
        return [
            player
            for player in self.players.values()
            if player.from_round <= number
            and (player.to_round is None or number <= player.to_round)
        ]

    def build_participants(
        self, number: int, ledger: Mapping[int, int] | None = None
    ) -> Participants:
        """Return the input for the draw of a round: its players with their wishes."""
        present_players = self.list_present_players(number)
        playing = [player.number for player in present_players if not player.house]
        playing_numbers = set(playing)
        return Participants(
            players=tuple(playing),
            apart=frozenset(
                frozenset[PlayerId](pair)
                for pair in self.drive.apart
                if playing_numbers.issuperset(pair)
            ),
            seated=tuple(p.number for p in present_players if p.stays_seated and not p.house),
            house=tuple(sorted((p.number for p in present_players if p.house), key=str)),
            ledger={n: c for n, c in (ledger or {}).items() if n in playing_numbers and c},
        )

    def list_drawn_rounds(self, before: int) -> list[SeatedRound]:
        """Return the rounds before the round with the number `before`, as values for draws."""
        return [
            snapshot.as_drawn for number, snapshot in self.rounds.items() if number < before
        ]

    def map_roles(self) -> dict[int, str]:
        """Return the role of each player who has one, by player number."""
        return {player.number: player.role for player in self.players.values() if player.role}

    def count_rests(self, before: int) -> dict[int, int]:
        """Count each player's rests in the rounds before round `before`."""
        rests: dict[int, int] = defaultdict(int)
        for number, snapshot in self.rounds.items():
            for player in snapshot.rest if number < before else ():
                rests[player] += 1
        return dict(rests)

    def get_full_name(self, number: int) -> str:
        """Return a player's full name, for organisers only."""
        return self.players[number].full_name

    def get_own_role_word(self, role: str) -> str:
        """Return the club's own word for a role, such as "lady"; "" if it has none."""
        house_word = self.drive.first_word if role == Role.FIRST else self.drive.second_word
        return house_word.partition("/")[0].strip() if role else ""

    def get_role_word(self, role: str) -> str:
        """Return the club's own word for a role, such as "lady"; else "1st" or "2nd"."""
        if not role:
            return ""
        return self.get_own_role_word(role) or (_("1st") if role == Role.FIRST else _("2nd"))


def format_seats(four: Sequence[PlayerId]) -> str:
    """Return the seats of a table as a text of player numbers, seat by seat: "3.7.1.9"."""
    return ".".join(map(str, four))


def load_drive(drive: Drive) -> DriveSnapshot:
    """Load a drive; the number of queries does not depend on the number of players."""
    return _build_snapshot(
        drive,
        drive.players.all(),
        drive.played.select_related("draw"),
        _load_seat_keys(drive, Q()),
        Sheet.objects.filter(round__drive=drive),
        CardTotal.objects.filter(player__drive=drive),
    )


def load_drive_part(
    drive: Drive, players: Iterable[int], *, rounds: Iterable[int] | None = None
) -> DriveSnapshot:
    """Load the part of a drive that concerns some players, by number, in some or all rounds.

    The part has the tables of these players, with all players and scores of those tables. It is
    enough for a player's own page, whatever the size of the hall. The ranking, the check of
    totals and other players' sit-outs need all tables, so they cannot be computed from it.
    """
    player_numbers = list(players)
    in_rounds = Q() if rounds is None else Q(round__number__in=list(rounds))
    seat_keys = _load_seat_keys(drive, Q(player__number__in=player_numbers) & in_rounds)
    places = {(each.round, each.table) for each in seat_keys}
    same_tables = {
        "round__in": {round_ for round_, _table in places},
        "table__in": {table for _round, table in places if table is not None},
    }
    is_own = Q(player__number__in=player_numbers, table=None)
    seats = [
        seat_key
        for seat_key in _load_seat_keys(drive, Q(**same_tables) | is_own)
        if (seat_key.round, seat_key.table) in places
    ]
    sheets = Sheet.objects.filter(**same_tables)
    return _build_snapshot(
        drive,
        drive.players.filter(
            Q(number__in=player_numbers) | Q(pk__in={seat.player for seat in seats})
        ),
        drive.played.all(),
        seats,
        [sheet for sheet in sheets if (sheet.round_id, sheet.table) in places],
        CardTotal.objects.filter(player__drive=drive, player__number__in=player_numbers),
    )


def load_table_part(drive: Drive, table: int, number: int) -> DriveSnapshot:
    """Load one table of a round with its scores, and the next tables of its players.

    It has fewer queries than `load_drive_part`, for the phones that poll every few seconds.
    """
    rounds = {row.number: row for row in drive.played.all()}
    seats, next_round = [], rounds.get(number + 1)
    if number in rounds:
        seats = _load_seat_keys(drive, Q(round=rounds[number], table=table))
    if seats and next_round is not None:
        own_seats = Q(round=next_round, player__in={seat.player for seat in seats})
        moves = _load_seat_keys(drive, own_seats)
        tables = {seat.table for seat in moves if seat.table is not None}
        seats += [seat for seat in moves if seat.table is None]
        seats += _load_seat_keys(drive, Q(round=next_round, table__in=tables))
    return _build_snapshot(
        drive,
        drive.players.filter(pk__in={seat.player for seat in seats}),
        rounds.values(),
        seats,
        Sheet.objects.filter(round=rounds.get(number), table=table),
        CardTotal.objects.none(),
    )


class _SeatKeys(NamedTuple):
    """The database keys of a player's seat in a round; a rest has no table."""

    round: int
    table: int | None
    player: int


def _load_seat_keys(drive: Drive, condition: Q) -> list[_SeatKeys]:
    rows = Seat.objects.filter(condition, round__drive=drive)
    rows = rows.order_by("table", "seat", "order", "id")
    return [_SeatKeys(*row) for row in rows.values_list("round_id", "table", "player_id")]


def _build_snapshot(
    drive: Drive,
    players: QuerySet[DrivePlayer],
    rounds: Iterable[Round],
    seats: Iterable[_SeatKeys],
    sheets: Iterable[Sheet],
    totals: QuerySet[CardTotal],
) -> DriveSnapshot:
    players_by_number = {player.number: player for player in players.select_related("player")}
    numbers = {player.pk: number for number, player in players_by_number.items()}
    places: dict[int, list[tuple[int | None, int]]] = defaultdict(list)
    for seat in seats:
        places[seat.round].append((seat.table, numbers[seat.player]))
    entered: dict[int, dict[tuple[int, int], Sheet]] = defaultdict(dict)
    for sheet in sorted(sheets, key=lambda each: (each.table, each.hand)):
        entered[sheet.round_id][sheet.table, sheet.hand] = sheet
    return DriveSnapshot(
        drive=drive,
        players=players_by_number,
        rounds={
            row.number: _build_round(row, places[row.pk], entered[row.pk]) for row in rounds
        },
        totals=list(totals.select_related("player").order_by("player__number", "part")),
    )


def _build_round(
    row: Round,
    seats: Sequence[tuple[int | None, int]],
    sheets: Mapping[tuple[int, int], Sheet],
) -> RoundSnapshot:
    tables: dict[int, list[int]] = defaultdict(list)
    for table, player in seats:
        if table is not None:
            tables[table].append(player)
    return RoundSnapshot(
        row=row,
        tables={
            t: (numbers[0], numbers[1], numbers[2], numbers[3]) for t, numbers in tables.items()
        },
        rest=tuple(player for table, player in seats if table is None),
        sheets=sheets,
    )
