"""A drive as it was held, read at once: who plays, where everybody sat, what was entered.

Everything that is worked out, shown or written into a file begins here.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from drives.draw.company import Company, Drawn, Player, Seats
from drives.forms import Form, form_named
from drives.forms.ties import TieRule, tie_rule_of
from drives.models import CardTotal, Drive, DrivePlayer, Round, Seat, Sheet
from drives.moves.state import Role
from drives.scores.drive_scores import Competitor, DriveScores
from drives.scores.rules import Scoring
from drives.scores.sheets import Card, PlayedRound, TableScore
from drives.scores.terms import scoring_of

SIDES = "AB"


@dataclass(frozen=True, kw_only=True)
class HeldRound:
    """One round: its tables by their numbers, who rests, and what was entered so far."""

    row: Round
    tables: Mapping[int, Seats]
    rest: tuple[int, ...]
    sheets: Mapping[tuple[int, int], Sheet]

    @property
    def number(self) -> int:
        """Which round it is."""
        return self.row.number

    @property
    def drawn(self) -> Drawn:
        """The round as a draw knows it."""
        return Drawn(tuple(self.tables.values()), self.rest)

    @property
    def as_played(self) -> PlayedRound:
        """The round for totals; hands that were entered one by one are added up."""
        sheets = [
            TableScore(table, seats, *self.figures_at(table))
            for table, seats in self.tables.items()
        ]
        return PlayedRound(self.number, tuple(sheets), self.rest)

    @property
    def is_scored(self) -> bool:
        """Whether a score of it stands."""
        return any(sheet.score for sheet in self.sheets.values())

    def seat_of(self, number: int) -> tuple[int, int] | None:
        """The table and seat of a player, None where he rests or is not there."""
        for table, seats in self.tables.items():
            if number in seats:
                return table, seats.index(number) + 1
        return None

    def hands_entered(self, table: int, hands: int) -> int:
        """How many hands of a table are entered; a sheet of the round has them all."""
        sheets = [s for (at, _hand), s in self.sheets.items() if at == table and s.score]
        return hands if any(sheet.hand == 0 for sheet in sheets) else len(sheets)

    def figures_at(self, table: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What was made at a table so far, by side or by seat, and the extras of it."""
        whole = self.sheets.get((table, 0))
        if whole is not None and whole.score:
            return tuple(whole.score), tuple(whole.extras)
        sheets = [
            s for (at, hand), s in self.sheets.items() if at == table and hand and s.score
        ]
        score = tuple(map(sum, zip(*(sheet.score for sheet in sheets), strict=True)))
        extras = [sheet.extras for sheet in sheets if sheet.extras]
        return score, tuple(map(sum, zip(*extras, strict=True)))


@dataclass(frozen=True, kw_only=True)
class HeldDrive:
    """A drive with all its rows, by the numbers of its players and rounds."""

    drive: Drive
    players: Mapping[int, DrivePlayer]
    rounds: Mapping[int, HeldRound]
    totals: Sequence[CardTotal]

    @cached_property
    def form(self) -> Form:
        """Who goes where after a round."""
        return form_named(self.drive.form)

    @cached_property
    def scoring(self) -> Scoring:
        """The terms of its score."""
        return scoring_of(self.drive.score, self.drive.hands)

    @cached_property
    def scores(self) -> DriveScores:
        """Everything that its totals, ranking and room check are computed from."""
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
                each.as_played
                for number, each in self.rounds.items()
                if number <= drive.at_round
            ],
            cards=[
                Card(each.player.number, each.part, each.total, each.rests)
                for each in self.totals
                if each.total is not None
            ],
            scoring=self.scoring,
            tie_breaks=drive.score.get("ties", ()),
            planned=drive.rounds,
            halves=drive.halves,
            half_ties=tie_rule_of(drive.terms) is TieRule.HALF,
        )

    @cached_property
    def ranked(self) -> list[DrivePlayer]:
        """Everybody who is ranked: all but house players, and whoever never played."""
        return [
            player
            for player in self.players.values()
            if not player.house and not player.stay.is_empty
        ]

    @property
    def at(self) -> HeldRound | None:
        """The round in play."""
        return self.rounds.get(self.drive.at_round)

    @property
    def table_count(self) -> int:
        """How many tables play: those of the round in play, or those that the players fill."""
        return len(self.at.tables) if self.at is not None else len(self.present(1)) // 4

    @property
    def last(self) -> int:
        """The number of the last round there is."""
        return max(self.rounds, default=0)

    @property
    def planned(self) -> int:
        """How many rounds there will be, as far as anybody has said."""
        return self.drive.rounds or self.last

    def present(self, number: int) -> list[DrivePlayer]:
        """Who plays in a round, house players too."""
        return [
            player
            for player in self.players.values()
            if player.from_round <= number
            and (player.to_round is None or number <= player.to_round)
        ]

    def company(self, number: int, ledger: Mapping[int, int] | None = None) -> Company:
        """Who is to be drawn for a round, and on what wishes."""
        there = self.present(number)
        playing = [player.number for player in there if not player.house]
        known = set(playing)
        return Company(
            players=tuple(playing),
            apart=frozenset(
                frozenset[Player](pair) for pair in self.drive.apart if known.issuperset(pair)
            ),
            seated=tuple(p.number for p in there if p.stays_seated and not p.house),
            house=tuple(sorted((p.number for p in there if p.house), key=str)),
            ledger={n: c for n, c in (ledger or {}).items() if n in known and c},
        )

    def drawn(self, before: int) -> list[Drawn]:
        """The rounds before a number, as draws know them."""
        return [held.drawn for number, held in self.rounds.items() if number < before]

    def roles(self) -> dict[int, str]:
        """The roles that players came with, or have from where they sat."""
        return {player.number: player.role for player in self.players.values() if player.role}

    def rests(self, before: int) -> dict[int, int]:
        """How often each rested in the rounds before a number."""
        found: dict[int, int] = defaultdict(int)
        for number, held in self.rounds.items():
            for player in held.rest if number < before else ():
                found[player] += 1
        return dict(found)

    def name(self, number: int) -> str:
        """A player's full name, for whoever runs the drive."""
        return self.players[number].full_name

    def word(self, role: str) -> str:
        """The house's word for a role."""
        if not role:
            return ""
        own, usual = self.drive.second_word, _("second")
        if role == Role.FIRST:
            own, usual = self.drive.first_word, _("first")
        return own.partition("/")[0].strip() or usual


def seats_of(four: Sequence[Player]) -> str:
    """Write down who sits at a table by their numbers, seat by seat: "3.7.1.9"."""
    return ".".join(map(str, four))


def read_drive(drive: Drive) -> HeldDrive:
    """Read a drive in a few questions, however many play."""
    return _held_drive(
        drive,
        drive.players.all(),
        drive.played.select_related("draw"),
        _sat(drive, Q()),
        Sheet.objects.filter(round__drive=drive),
        CardTotal.objects.filter(player__drive=drive),
    )


def read_part(
    drive: Drive, players: Iterable[int], *, rounds: Iterable[int] | None = None
) -> HeldDrive:
    """Read a drive as far as some players, by their numbers, saw it, in some rounds or in all.

    That is the tables at which they sat, those who sat with them, and what was entered there:
    enough for a page of their own, whatever the size of the hall. Nothing that counts the room
    (a ranking, its check, who else rests) can be read from it.
    """
    own = list(players)
    then = Q() if rounds is None else Q(round__number__in=list(rounds))
    mine = _sat(drive, Q(player__number__in=own) & then)
    places = {(each.round, each.table) for each in mine}
    near = {
        "round__in": {round_ for round_, _table in places},
        "table__in": {table for _round, table in places if table is not None},
    }
    is_own = Q(player__number__in=own, table=None)
    seats = [
        each for each in _sat(drive, Q(**near) | is_own) if (each.round, each.table) in places
    ]
    sheets = Sheet.objects.filter(**near)
    return _held_drive(
        drive,
        drive.players.filter(Q(number__in=own) | Q(pk__in={each.player for each in seats})),
        drive.played.all(),
        seats,
        [each for each in sheets if (each.round_id, each.table) in places],
        CardTotal.objects.filter(player__drive=drive, player__number__in=own),
    )


class _Sat(NamedTuple):
    """A seat by the keys of its round and its player; a rest without a table."""

    round: int
    table: int | None
    player: int


def _sat(drive: Drive, which: Q) -> list[_Sat]:
    rows = Seat.objects.filter(which, round__drive=drive)
    rows = rows.order_by("table", "seat", "order", "id")
    return [_Sat(*row) for row in rows.values_list("round_id", "table", "player_id")]


def _held_drive(
    drive: Drive,
    players: QuerySet[DrivePlayer],
    rounds: Iterable[Round],
    seats: Iterable[_Sat],
    sheets: Iterable[Sheet],
    totals: QuerySet[CardTotal],
) -> HeldDrive:
    known = {player.number: player for player in players.select_related("player")}
    numbers = {player.pk: number for number, player in known.items()}
    places: dict[int, list[tuple[int | None, int]]] = defaultdict(list)
    for each in seats:
        places[each.round].append((each.table, numbers[each.player]))
    entered: dict[int, dict[tuple[int, int], Sheet]] = defaultdict(dict)
    for sheet in sorted(sheets, key=lambda each: (each.table, each.hand)):
        entered[sheet.round_id][sheet.table, sheet.hand] = sheet
    return HeldDrive(
        drive=drive,
        players=known,
        rounds={row.number: _held(row, places[row.pk], entered[row.pk]) for row in rounds},
        totals=list(totals.select_related("player").order_by("player__number", "part")),
    )


def _held(
    row: Round,
    seats: Sequence[tuple[int | None, int]],
    sheets: Mapping[tuple[int, int], Sheet],
) -> HeldRound:
    tables: dict[int, list[int]] = defaultdict(list)
    for table, player in seats:
        if table is not None:
            tables[table].append(player)
    return HeldRound(
        row=row,
        tables={t: (four[0], four[1], four[2], four[3]) for t, four in tables.items()},
        rest=tuple(player for table, player in seats if table is None),
        sheets=sheets,
    )
