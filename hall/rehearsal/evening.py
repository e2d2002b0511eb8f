"""A simulated evening in its current seating: the times of its results and their values."""

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
from scoring.session_snapshot import SeatedTable, SessionSnapshot, load_session_snapshot
from tournaments.models import Session

KEY = "rehearsal"
"""The idempotency key of automatic results, so that each is entered only once."""
STRANGERS = ("Ida Latecomer", "Otto Latecomer", "Ruth Latecomer", "Hugo Latecomer")
"""The names of late players, which are not those of a club's players."""
Ruled = frozenset[tuple[int, int, str]]
"""The sitting, board and kind of each ruling in force."""


@dataclass(slots=True)
class ScriptedEvening:
    """A simulated evening with all its results and mishaps."""

    rehearsal: Rehearsal
    seated: SessionSnapshot
    rounds: Mapping[int, Round]
    tables: Mapping[At, SeatedTable]
    dues: list[Due]
    worths: Mapping[int, Fraction]
    ruled: Ruled

    @property
    def mishaps(self) -> list[tuple[Mishap, bool]]:
        """The mishaps, each with whether it has already happened."""
        return [read_mishap(each) for each in self.rehearsal.script]

    def has_come(self, due: Due) -> bool:
        """Return whether the clock has reached a result."""
        return due.at <= self.rehearsal.reached.total_seconds()

    def due_of(self, mishap: Mishap) -> Due | None:
        """Return the result that a mishap affects; None if it is no longer played."""
        table = self.tables.get(mishap.at)
        if table is None or mishap.nth >= len(table.boards):
            return None
        board = table.boards[mishap.nth]
        found = (due for due in self.dues if due.sat.at == mishap.at and due.board == board)
        return next(found, None)

    def result(self, due: Due) -> Result | None:
        """Return the entered result from any source."""
        return self.seated.find_result(self.tables[due.sat.at], due.board)

    def true_tricks(self, due: Due) -> int:
        """Return the real tricks of North-South, even if the table enters others."""
        worth = self.worths.get(due.board)
        return plausible_tricks(self.rehearsal.seed, due.sat, due.board, worth)

    def written_tricks(self, due: Due) -> int:
        """Return the tricks that the table enters; one table swaps the sides for a round."""
        tricks = self.true_tricks(due)
        turned = {each.at for each, _told in self.mishaps if each.kind is Kind.TURNED}
        return TRICKS - tricks if due.sat.at in turned else tricks

    def held_back(self) -> list[Due]:
        """List the results that tables do not enter before the director's ruling."""
        fouled = [each for each, _told in self.mishaps if each.kind is Kind.FOULED]
        found = [self.due_of(each) for each in fouled]
        return [due for due in found if due is not None and not self.is_ruled(due)]

    def is_ruled(self, due: Due, *kinds: str) -> bool:
        """Return whether a ruling is in force, optionally only one of the given kinds."""
        play = (self.tables[due.sat.at].sitting, due.board)
        return any(each[:2] == play and (not kinds or each[2] in kinds) for each in self.ruled)


def evening(rehearsal: Rehearsal, session: Session, clock: RoundClock) -> ScriptedEvening:
    """Return a rehearsal's evening in its current state, in a fixed number of queries."""
    seated = load_session_snapshot(session)
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
    """Return the session that a rehearsal plays."""
    return Session.objects.select_related("event__club", "board_set", "evening").get(
        event=rehearsal.event_id, number=1
    )


def sats_of(seated: SessionSnapshot) -> list[Sat]:
    """List the tables in play in the format of the script."""
    return [
        Sat(at_of(table), table.ns.entries, table.ew.entries, tuple(table.boards))
        for table in seated.tables
        if table.is_played
    ]


def at_of(table: SeatedTable) -> At:
    """Return the key of a table in a round."""
    return At(table.section, table.round, table.table)


def rounds_by_clock(clock: RoundClock, session: Session) -> dict[int, Round]:
    """Return the start and the length of each round by the clock, in seconds.

    The length excludes added time, because the simulated tables do not need it.
    """
    begins, found = timedelta(), {}
    ends = round_ends(clock.timetable(rounds_of(session)))
    for number, (_end, following) in enumerate(ends, start=1):
        found[number] = Round(int(begins.total_seconds()), clock.minutes * 60)
        begins = following
    return found


def worths_of(session: Session) -> dict[int, Fraction]:
    """Return the tricks of N-S for each known deal, by best play or estimated."""
    if session.board_set is None:
        return {}
    found = {}
    for board in session.board_set.boards.current():
        deal = session.event.as_played(board.as_deal())
        best = board.best_with(deal.trumps)
        found[board.number] = worth_of_cards(deal) if best is None else Fraction(best)
    return found


def read_mishap(kept: Mapping[str, object]) -> tuple[Mishap, bool]:
    """Parse a stored mishap, and return it with whether it has happened."""
    words = {name: kept[name] for name in Mishap._fields if name in kept}
    mishap = Mishap(**words)  # type: ignore[arg-type]  # written by `keep_mishap`
    return mishap._replace(kind=Kind(mishap.kind)), bool(kept.get("told"))


def keep_mishap(mishap: Mishap, told: bool = False) -> dict[str, object]:
    """Return the JSON form of a mishap."""
    return mishap._asdict() | {"kind": mishap.kind.value, "told": told}


def come_in(session: Session) -> set[tuple[int, int, int]]:
    """Return the results entered automatically before: sittings, boards and deal numbers."""
    versions = ResultVersion.objects.filter(result__sitting__section__session=session, key=KEY)
    return set(versions.values_list("result__sitting", "result__board", "result__deal"))
