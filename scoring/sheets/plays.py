"""The value of each play of a session after rulings, with its notes."""

from dataclasses import dataclass
from fractions import Fraction

from scoring.methods import Method
from scoring.methods.plus_minus import side_averages
from scoring.reckoning.lines import EventLines, Play, counted, read
from scoring.reckoning.scores import NOBODY, Both, Counts, counts_of, method_of, public_tally
from scoring.sheets.rulings import describe_play_rulings, format_revoke_marks, get_deciding_kind
from scoring.sittings import SeatedSession


@dataclass(frozen=True, slots=True)
class PlayDetail:
    """The details of one play: the value that counts, averages, scores and rulings."""

    counts: Both  # tricks if a ruling changed the entered ones, else None
    averages: Both
    scores: Both
    kind: str = ""  # void, average, adjusted, revoke, or ""
    marks: tuple[str, str] = ("", "")
    notes: tuple[str, ...] = ()


EMPTY_DETAIL = PlayDetail(NOBODY, NOBODY, NOBODY)


@dataclass(frozen=True, slots=True)
class EventPlays:
    """All plays of an event, with their values after rulings."""

    tally: EventLines
    method: Method
    counts: dict[Play, Counts]

    def get_detail(self, play: Play) -> PlayDetail:
        """Return the details of one play; empty before it has a result."""
        found = self.counts.get(play)
        rulings = self.tally.rulings.get(play, [])
        counted = self.tally.ruled.get(play)
        kind = get_deciding_kind(rulings, counted)
        if found is None:
            return PlayDetail(
                NOBODY, NOBODY, NOBODY, kind, notes=describe_play_rulings(rulings, counted)
            )
        return PlayDetail(
            counts=found.tricks if kind else NOBODY,
            averages=found.averages,
            scores=found.scores,
            kind=kind,
            marks=format_revoke_marks(counted),
            notes=describe_play_rulings(rulings, counted),
        )

    def compute_average(self, room: SeatedSession, section: str, board: int) -> Fraction | None:
        """Return N-S's average on a board's first deal, in the section or over all sections."""
        for pool in (section, ""):
            for key, name in self.tally.names.items():
                if key > 0 and name[:3] == (room.session.number, pool, board):
                    lines = self.tally.pools[room.session.number, pool].lines
                    return side_averages([it for it in lines if it.deal == key]).get(
                        key, NOBODY
                    )[0]
        return None


def load_plays(room: SeatedSession, *, all_results: bool = True) -> EventPlays:
    """Load the values of all plays of a session's event, or only of public results."""
    event = room.session.event
    rows = read(event)
    found = counted(rows)
    if not all_results:
        found = public_tally(rows, found) or found
    method = method_of(event)
    return EventPlays(found, method, counts_of(found, method))
