"""A made-up evening as it is seated now: what comes in when, and what is written down."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from clubs.evenings.timetable import round_ends
from clubs.models import RoundClock
from hall.models import Rehearsal
from hall.rehearsal.script import At, Due, Kind, Mishap, Round, Sat, dues, plausible_tricks
from hall.rehearsal.script.tricks import TRICKS, worth_of_cards
from hall.room.clock import rounds_of
from scoring.models import Result, ResultVersion, Ruling
from scoring.sittings import SeatedSession, SeatedTable, read_sittings
from tournaments.models import Session

KEY = "rehearsal"
"""By which a result that came in by itself is known, so that it comes once."""
STRANGERS = ("Ida Latecomer", "Otto Latecomer", "Ruth Latecomer", "Hugo Latecomer")
"""Who comes late: nobody whom a club has."""
Ruled = frozenset[tuple[int, int, str]]
"""Sitting, board and kind of the rulings that stand."""


@dataclass(slots=True)
class ScriptedEvening:
    """A made-up evening with all that comes in."""

    rehearsal: Rehearsal
    seated: SeatedSession
    rounds: Mapping[int, Round]
    tables: Mapping[At, SeatedTable]
    dues: list[Due]
    worths: Mapping[int, Fraction]
    ruled: Ruled

    @property
    def mishaps(self) -> list[tuple[Mishap, bool]]:
        """What goes wrong, and whether it has been told."""
        return [read_mishap(each) for each in self.rehearsal.script]

    def has_come(self, due: Due) -> bool:
        """Whether the clock has reached a result."""
        return due.at <= self.rehearsal.reached.total_seconds()

    def due_of(self, mishap: Mishap) -> Due | None:
        """The result that a mishap is about; None where nobody plays there any more."""
        table = self.tables.get(mishap.at)
        if table is None or mishap.nth >= len(table.boards):
            return None
        board = table.boards[mishap.nth]
        found = (due for due in self.dues if due.sat.at == mishap.at and due.board == board)
        return next(found, None)

    def result(self, due: Due) -> Result | None:
        """What has been entered, by whomever."""
        return self.seated.result(self.tables[due.sat.at], due.board)

    def true_tricks(self, due: Due) -> int:
        """What North-South took, whatever is written down."""
        worth = self.worths.get(due.board)
        return plausible_tricks(self.rehearsal.seed, due.sat, due.board, worth)

    def written_tricks(self, due: Due) -> int:
        """What comes in: one table mixes up the two sides for a round."""
        tricks = self.true_tricks(due)
        turned = {each.at for each, _told in self.mishaps if each.kind is Kind.TURNED}
        return TRICKS - tricks if due.sat.at in turned else tricks

    def held_back(self) -> list[Due]:
        """List the results with which tables wait until the director has ruled."""
        fouled = [each for each, _told in self.mishaps if each.kind is Kind.FOULED]
        found = [self.due_of(each) for each in fouled]
        return [due for due in found if due is not None and not self.is_ruled(due)]

    def is_ruled(self, due: Due, *kinds: str) -> bool:
        """Whether a ruling stands, of one of some kinds where they are named."""
        play = (self.tables[due.sat.at].sitting, due.board)
        return any(each[:2] == play and (not kinds or each[2] in kinds) for each in self.ruled)


def evening(rehearsal: Rehearsal, session: Session, clock: RoundClock) -> ScriptedEvening:
    """Read a rehearsal's evening as it is now, in a fixed number of queries."""
    seated = read_sittings(session)
    rounds = rounds_by_clock(clock, session)
    kept = map(read_mishap, rehearsal.script)
    slow = {mishap.at for mishap, _told in kept if mishap.kind is Kind.SLOW}
    rulings = Ruling.objects.in_force().filter(session=session, result__isnull=False)
    return ScriptedEvening(
        rehearsal=rehearsal,
        seated=seated,
        rounds=rounds,
        tables={at_of(table): table for table in seated.tables if table.is_played},
        dues=dues(rehearsal.seed, sats_of(seated), rounds, slow=slow),
        worths=worths_of(session),
        ruled=frozenset(rulings.values_list("result__sitting", "result__board", "kind")),
    )


def session_of(rehearsal: Rehearsal) -> Session:
    """Fetch the session that a rehearsal plays."""
    return Session.objects.select_related("event__club", "board_set", "evening").get(
        event=rehearsal.event_id, number=1
    )


def sats_of(seated: SeatedSession) -> list[Sat]:
    """List the tables where somebody plays, as a made-up evening sees them."""
    return [
        Sat(at_of(table), table.ns.entries, table.ew.entries, tuple(table.boards))
        for table in seated.tables
        if table.is_played
    ]


def at_of(table: SeatedTable) -> At:
    """Name a table in a round."""
    return At(table.section, table.round, table.table)


def rounds_by_clock(clock: RoundClock, session: Session) -> dict[int, Round]:
    """When the clock begins each round; what was added to a round makes nobody slower."""
    begins, found = timedelta(), {}
    ends = round_ends(clock.timetable(rounds_of(session)))
    for number, (_end, following) in enumerate(ends, start=1):
        found[number] = Round(int(begins.total_seconds()), clock.minutes * 60)
        begins = following
    return found


def worths_of(session: Session) -> dict[int, Fraction]:
    """What N-S can make of each deal that is known: by best play, else by its cards."""
    if session.board_set is None:
        return {}
    found = {}
    for board in session.board_set.boards.current():
        deal = session.event.as_played(board.as_deal())
        best = board.best_with(deal.trumps)
        found[board.number] = worth_of_cards(deal) if best is None else Fraction(best)
    return found


def read_mishap(kept: Mapping[str, object]) -> tuple[Mishap, bool]:
    """Read a mishap as a rehearsal keeps it, and whether it has been told."""
    words = {name: kept[name] for name in Mishap._fields if name in kept}
    mishap = Mishap(**words)  # type: ignore[arg-type]  # as `keep_mishap` wrote them
    return mishap._replace(kind=Kind(mishap.kind)), bool(kept.get("told"))


def keep_mishap(mishap: Mishap, told: bool = False) -> dict[str, object]:
    """Write a mishap as a rehearsal keeps it."""
    return mishap._asdict() | {"kind": mishap.kind.value, "told": told}


def come_in(session: Session) -> set[tuple[int, int, int]]:
    """List what has come in by itself once: sittings, boards and which deal of the board."""
    versions = ResultVersion.objects.filter(result__sitting__section__session=session, key=KEY)
    return set(versions.values_list("result__sitting", "result__board", "result__deal"))
