"""Loads a drive with its players, seats and scores, for computations, pages and files."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from drives.contract_words import apply_contract_name_style, load_contract_name_style
from drives.draw.participants import Participants, PlayerId, SeatedRound, Seats
from drives.games.contracts import PointsTable
from drives.games.hand_tallies import HandTally, PlayedHand, tally_hands
from drives.models import CardTotal, Drive, DrivePlayer, Round, Seat, Sheet
from drives.moves.table_result import Role
from drives.play_forms import DriveForm, find_play_form
from drives.play_forms.ties import TieRule, get_tie_rule
from drives.scores.drive_scores import Competitor, DriveScores
from drives.scores.rules import Scoring
from drives.scores.sheets import PlayedRound, ScoreCardTotal, TableScore
from drives.scores.terms import parse_points_table, parse_scoring

SIDES = "AB"


@dataclass(frozen=True, kw_only=True)
class RoundSnapshot:
    """A round: its tables by number, its resting players, and its sheets by (table, hand).

    A sheet for hand 0 has one score for the whole round.
    """

    stored_round: Round
    seats_by_table: Mapping[int, Seats]
    resting_players: tuple[int, ...]
    sheet_by_table_and_hand: Mapping[tuple[int, int], Sheet]

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.stored_round.number

    @property
    def seated_round(self) -> SeatedRound:
        """The round as a `SeatedRound`, from which a draw knows who has met whom."""
        return SeatedRound(tuple(self.seats_by_table.values()), self.resting_players)

    @property
    def played_round(self) -> PlayedRound:
        """The round as a `PlayedRound`, with one score for each table, to compute totals."""
        table_scores = [
            TableScore(table_number, seats, *self.compute_table_score(table_number))
            for table_number, seats in self.seats_by_table.items()
        ]
        return PlayedRound(self.number, tuple(table_scores), self.resting_players)

    @property
    def has_any_score(self) -> bool:
        """Whether any table of the round has a score."""
        return any(sheet.score for sheet in self.sheet_by_table_and_hand.values())

    def find_seat(self, player_number: int) -> tuple[int, int] | None:
        """Return the table and seat of a player; None if the player rests or is absent."""
        for table_number, seats in self.seats_by_table.items():
            if player_number in seats:
                return table_number, seats.index(player_number) + 1
        return None

    def count_hands_entered(self, table_number: int, hand_count: int) -> int:
        """Return the number of hands whose scores are entered for a table.

        If one score was entered for the whole round, this is `hand_count`.
        """
        scored_sheets = [
            sheet
            for (sheet_table_number, _hand), sheet in self.sheet_by_table_and_hand.items()
            if sheet_table_number == table_number and sheet.score
        ]
        has_round_score = any(sheet.hand == 0 for sheet in scored_sheets)
        return hand_count if has_round_score else len(scored_sheets)

    def compute_table_score(self, table_number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return a table's score and its extras so far, each by side or by seat.

        Extras are bonus points beside the score. Scores of single hands are added up.
        """
        round_sheet = self.sheet_by_table_and_hand.get((table_number, 0))
        if round_sheet is not None and round_sheet.score:
            return tuple(round_sheet.score), tuple(round_sheet.extras)
        hand_sheets = [
            sheet
            for (sheet_table_number, hand_number), sheet in self.sheet_by_table_and_hand.items()
            if sheet_table_number == table_number and hand_number and sheet.score
        ]
        side_scores = tuple(map(sum, zip(*(sheet.score for sheet in hand_sheets), strict=True)))
        extra_points_by_hand = [sheet.extras for sheet in hand_sheets if sheet.extras]
        return side_scores, tuple(map(sum, zip(*extra_points_by_hand, strict=True)))


@dataclass(frozen=True, kw_only=True)
class DriveSnapshot:
    """A drive with its players and rounds, by number, and its card totals."""

    drive: Drive
    player_by_number: Mapping[int, DrivePlayer]
    round_by_number: Mapping[int, RoundSnapshot]
    card_totals: Sequence[CardTotal]

    @cached_property
    def play_form(self) -> DriveForm:
        """The type of drive, which decides how players move after each round."""
        return find_play_form(self.drive.form)

    @cached_property
    def scoring(self) -> Scoring:
        """The rules by which the drive is scored."""
        return parse_scoring(self.drive.score, self.drive.hands)

    @cached_property
    def points_table(self) -> PointsTable | None:
        """The points of each contract in the drive's game; None if it has no contracts."""
        return parse_points_table(self.drive.score)

    @cached_property
    def worded_points_table(self) -> PointsTable | None:
        """The `points_table` with the club's own names for the contracts, or None.

        Loading the names needs one query.
        """
        if self.points_table is None:
            return None
        contract_name_style = load_contract_name_style(self.drive.club_id)
        return apply_contract_name_style(self.points_table, contract_name_style)

    @cached_property
    def scores(self) -> DriveScores:
        """The scores, from which totals, ranking and the check of totals are computed."""
        drive = self.drive
        return DriveScores(
            competitor_by_number={
                player_number: Competitor(
                    player.attended_rounds,
                    player.role or None,
                    player.of_club or None,
                    player.fort or None,
                    player.present,
                )
                for player_number, player in self.player_by_number.items()
                if not player.house
            },
            rounds=[
                round_.played_round
                for round_number, round_ in self.round_by_number.items()
                if round_number <= drive.at_round
            ],
            cards=[
                ScoreCardTotal(total.player.number, total.part, total.total, total.rests)
                for total in self.card_totals
                if total.total is not None and not self._is_for_checking_only(total)
            ],
            scoring=self.scoring,
            tie_breaks=drive.score.get("ties", ()),
            planned_round_count=drive.rounds,
            has_halves=drive.halves,
            should_halve_ties=get_tie_rule(drive.terms) is TieRule.HALF_POINTS,
            hand_tally_by_player=self._tally_hands(),
        )

    def _is_for_checking_only(self, card: CardTotal) -> bool:
        """Return whether a score card's total is only compared with the scores of the tables.

        In a game with contracts, these scores already contain the points on the card.
        """
        if self.points_table is None:
            return False
        return any(
            round_.compute_table_score(table_and_seat[0])[0]
            for round_ in self.round_by_number.values()
            if (table_and_seat := round_.find_seat(card.player.number))
        )

    def _tally_hands(self) -> dict[PlayerId, HandTally]:
        """Count the contracts that each player has made and lost; {} if there are none."""
        if self.points_table is None:
            return {}
        return tally_hands(
            self.points_table,
            (
                PlayedHand(round_.seats_by_table[table_number], sheet.score, sheet.contract)
                for round_number, round_ in self.round_by_number.items()
                if round_number <= self.drive.at_round
                for (table_number, hand_number), sheet in round_.sheet_by_table_and_hand.items()
                if sheet.score
                and table_number in round_.seats_by_table
                and (hand_number or self.drive.hands == 1)
            ),
        )

    @cached_property
    def ranked_players(self) -> list[DrivePlayer]:
        """The players in the ranking: all but house players and players who played no round."""
        return [
            player
            for player in self.player_by_number.values()
            if not player.house and not player.attended_rounds.is_empty
        ]

    @property
    def current_round(self) -> RoundSnapshot | None:
        """The round in play."""
        return self.round_by_number.get(self.drive.at_round)

    @property
    def table_count(self) -> int:
        """The number of tables in the round in play.

        Before play, it is the number of full tables that the players can form.
        """
        if self.current_round is not None:
            return len(self.current_round.seats_by_table)
        return len(self.list_present_players(1)) // 4

    @property
    def last_round_number(self) -> int:
        """The number of the last existing round; 0 if there are no rounds."""
        return max(self.round_by_number, default=0)

    @property
    def planned_round_count(self) -> int:
        """The planned number of rounds or, if it is unknown, the number of existing rounds."""
        return self.drive.rounds or self.last_round_number

    def list_present_players(self, round_number: int) -> list[DrivePlayer]:
        """Return the players who take part in a round, including house players."""
        return [
            player
            for player in self.player_by_number.values()
            if player.from_round <= round_number
            and (player.to_round is None or round_number <= player.to_round)
        ]

    def build_participants(
        self, round_number: int, season_rest_counts: Mapping[int, int] | None = None
    ) -> Participants:
        """Return the input for the draw of a round: its players with their preferences."""
        present_players = self.list_present_players(round_number)
        playing_numbers = [player.number for player in present_players if not player.house]
        playing_number_set = set(playing_numbers)
        return Participants(
            players=tuple(playing_numbers),
            pairs_kept_apart=frozenset(
                frozenset[PlayerId](pair)
                for pair in self.drive.apart
                if playing_number_set.issuperset(pair)
            ),
            stationary_players=tuple(
                player.number
                for player in present_players
                if player.stays_seated and not player.house
            ),
            house_players=tuple(
                sorted((player.number for player in present_players if player.house), key=str)
            ),
            season_rest_counts={
                player_number: rest_count
                for player_number, rest_count in (season_rest_counts or {}).items()
                if player_number in playing_number_set and rest_count
            },
            missed_round_counts=self._count_missed_rounds(playing_numbers),
        )

    def _count_missed_rounds(self, player_numbers: Collection[int]) -> dict[PlayerId, int]:
        """Return the number of rounds that each late player has missed, by player number.

        Players who replace another player have missed no rounds.
        """
        return {
            player_number: player.from_round - 1
            for player_number, player in self.player_by_number.items()
            if player_number in player_numbers
            and player.from_round > 1
            and player.takes_over_id is None
        }

    def list_drawn_rounds(self, before_round: int) -> list[SeatedRound]:
        """Return the rounds before `before_round`, from which a draw knows who has met."""
        return [
            round_snapshot.seated_round
            for round_number, round_snapshot in self.round_by_number.items()
            if round_number < before_round
        ]

    def get_role_by_player(self) -> dict[int, str]:
        """Return the role of each player who has one, by player number."""
        players = self.player_by_number.values()
        return {player.number: player.role for player in players if player.role}

    def count_rests(self, before_round: int) -> dict[int, int]:
        """Count each player's rests in the rounds before `before_round`.

        The rounds that a late player missed count as rests.
        """
        rest_count_by_player: dict[int, int] = defaultdict(int)
        missed_round_counts = self._count_missed_rounds(self.player_by_number)
        for player_number, missed_round_count in missed_round_counts.items():
            rest_count_by_player[int(player_number)] = missed_round_count
        for round_number, round_snapshot in self.round_by_number.items():
            for player in round_snapshot.resting_players if round_number < before_round else ():
                rest_count_by_player[player] += 1
        return dict(rest_count_by_player)

    def get_club_role_word(self, role: str) -> str:
        """Return the club's word for the first or second of a partnership, such as "lady".

        Returns "" if the club has no word of its own.
        """
        club_word = self.drive.first_word if role == Role.FIRST else self.drive.second_word
        return club_word.partition("/")[0].strip() if role else ""

    def get_role_word(self, role: str) -> str:
        """Return the word for the first or second of a partnership: "lady", or else "1st"."""
        if not role:
            return ""
        return self.get_club_role_word(role) or (_("1st") if role == Role.FIRST else _("2nd"))


def format_seats(players: Sequence[PlayerId]) -> str:
    """Return the numbers of a table's players in seat order as text, e.g. "3.7.1.9"."""
    return ".".join(map(str, players))


def load_drive_snapshot(drive: Drive) -> DriveSnapshot:
    """Load a drive; the number of queries does not depend on the number of players."""
    return _build_snapshot(
        drive,
        drive.players.select_related("player"),
        drive.played.select_related("draw"),
        _load_seat_keys(drive, Q()),
        Sheet.objects.filter(round__drive=drive),
        CardTotal.objects.filter(player__drive=drive),
    )


def load_players_snapshot(
    drive: Drive, players: Iterable[int], *, rounds: Iterable[int] | None = None
) -> DriveSnapshot:
    """Load only the tables at which some players sit, in some or all rounds.

    All players and scores of these tables are loaded. This is enough for a player's own page,
    and its cost does not depend on the number of tables. The ranking, the check of totals and
    the rests of other players cannot be computed from this part, because they need all tables.
    """
    player_numbers = list(players)
    round_filter = Q() if rounds is None else Q(round__number__in=list(rounds))
    seat_keys = _load_seat_keys(drive, Q(player__number__in=player_numbers) & round_filter)
    round_and_table_keys = {(seat.round_pk, seat.table_number) for seat in seat_keys}
    table_filter = {
        "round__in": {seat.round_pk for seat in seat_keys},
        "table__in": {seat.table_number for seat in seat_keys} - {None},
    }
    rest_filter = Q(player__number__in=player_numbers, table=None)
    seats = [
        seat_key
        for seat_key in _load_seat_keys(drive, Q(**table_filter) | rest_filter)
        if (seat_key.round_pk, seat_key.table_number) in round_and_table_keys
    ]
    sheets = Sheet.objects.filter(**table_filter)
    return _build_snapshot(
        drive,
        drive.players.filter(
            Q(number__in=player_numbers) | Q(pk__in={seat.player_pk for seat in seats})
        ).select_related("player"),
        drive.played.all(),
        seats,
        [sheet for sheet in sheets if (sheet.round_id, sheet.table) in round_and_table_keys],
        CardTotal.objects.filter(player__drive=drive, player__number__in=player_numbers),
    )


def load_table_snapshot(drive: Drive, table_number: int, round_number: int) -> DriveSnapshot:
    """Load one table of a round with its scores, and its players' tables in the next round.

    If the table has no score yet, the players who sat there in the previous round are loaded
    too, with the tables to which they moved. Phones poll this data every few seconds, so it
    takes fewer queries than `load_players_snapshot`.
    """
    round_by_number = {round_.number: round_ for round_ in drive.played.all()}
    current_round = round_by_number.get(round_number)
    next_round = round_by_number.get(round_number + 1)
    previous_round = round_by_number.get(round_number - 1)
    sheets = list(Sheet.objects.filter(round=current_round, table=table_number))
    seats = []
    if current_round is not None:
        seats = _load_seats(Q(round=current_round, table=table_number))
    if seats and next_round is not None:
        seats += _load_moved_seats(next_round, seats)
    has_score = any(sheet.score for sheet in sheets)
    if current_round is not None and previous_round is not None and not has_score:
        previous_seats = _load_seats(Q(round=previous_round, table=table_number))
        seats += previous_seats + _load_moved_seats(current_round, previous_seats)
    seats = list({seat.pk: seat for seat in seats}.values())
    return _build_snapshot(
        drive,
        {seat.player_id: seat.player for seat in seats}.values(),
        round_by_number.values(),
        [_SeatKeys(seat.round_id, seat.table, seat.player_id) for seat in seats],
        sheets,
        CardTotal.objects.none(),
    )


def _load_moved_seats(round_: Round, earlier_seats: Iterable[Seat]) -> list[Seat]:
    """Load all seats of the tables at which the players of `earlier_seats` sit in `round_`.

    The seats without a table of players who rest in that round come first.
    """
    player_ids = [seat.player_id for seat in earlier_seats]
    new_seats = _load_seats(Q(round=round_, player__in=player_ids))
    tables = {seat.table for seat in new_seats if seat.table is not None}
    resting_seats = [seat for seat in new_seats if seat.table is None]
    return resting_seats + _load_seats(Q(round=round_, table__in=tables))


class _SeatKeys(NamedTuple):
    """The table number of a seat, and the primary keys of its round and its player.

    `table_number` is None if the player rests in the round.
    """

    round_pk: int
    table_number: int | None
    player_pk: int


def _load_seat_keys(drive: Drive, condition: Q) -> list[_SeatKeys]:
    seats = Seat.objects.filter(condition, round__drive=drive)
    seats = seats.order_by("table", "seat", "order", "id")
    return list(starmap(_SeatKeys, seats.values_list("round_id", "table", "player_id")))


def _load_seats(condition: Q) -> list[Seat]:
    """Load seats with their players, ordered by table number and seat."""
    seats = Seat.objects.filter(condition).select_related("player__player")
    return list(seats.order_by("table", "seat", "order", "id"))


def _build_snapshot(
    drive: Drive,
    players: Iterable[DrivePlayer],
    rounds: Iterable[Round],
    seats: Iterable[_SeatKeys],
    sheets: Iterable[Sheet],
    totals: QuerySet[CardTotal],
) -> DriveSnapshot:
    player_by_number = {player.number: player for player in players}
    number_by_pk = {player.pk: player.number for player in player_by_number.values()}
    seats_by_round: dict[int, list[tuple[int | None, int]]] = defaultdict(list)
    for seat in seats:
        seats_by_round[seat.round_pk].append((seat.table_number, number_by_pk[seat.player_pk]))
    sheets_by_round: dict[int, dict[tuple[int, int], Sheet]] = defaultdict(dict)
    for sheet in sorted(sheets, key=attrgetter("table", "hand")):
        sheets_by_round[sheet.round_id][sheet.table, sheet.hand] = sheet
    return DriveSnapshot(
        drive=drive,
        player_by_number=player_by_number,
        round_by_number={
            round_.number: _build_round(
                round_, seats_by_round[round_.pk], sheets_by_round[round_.pk]
            )
            for round_ in rounds
        },
        card_totals=list(totals.select_related("player").order_by("player__number", "part")),
    )


def _build_round(
    round_: Round,
    seats: Sequence[tuple[int | None, int]],
    sheet_by_table_and_hand: Mapping[tuple[int, int], Sheet],
) -> RoundSnapshot:
    players_by_table: dict[int, list[int]] = defaultdict(list)
    for table_number, player_number in seats:
        if table_number is not None:
            players_by_table[table_number].append(player_number)
    return RoundSnapshot(
        stored_round=round_,
        seats_by_table={
            table_number: (players[0], players[1], players[2], players[3])
            for table_number, players in players_by_table.items()
        },
        resting_players=tuple(number for table_number, number in seats if table_number is None),
        sheet_by_table_and_hand=sheet_by_table_and_hand,
    )
