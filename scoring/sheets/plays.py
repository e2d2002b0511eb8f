"""The value of each play of a session after rulings, with its notes."""

from dataclasses import dataclass
from fractions import Fraction

from scoring.methods import Method
from scoring.methods.plus_minus import compute_side_averages
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.rulings import describe_play_rulings, format_revoke_marks, get_deciding_kind
from scoring.standings_engine.result_lines import (
    EventTally,
    PlayKey,
    count_rows,
    load_event_rows,
)
from scoring.standings_engine.scores import (
    NO_SIDE_VALUES,
    PlayValues,
    SideValues,
    compute_play_values,
    find_method,
    tally_public_results,
)


@dataclass(frozen=True, slots=True)
class PlayDetail:
    """The details of one play: the value that counts, averages, scores and rulings."""

    counts: SideValues  # tricks if a ruling changed the entered ones, else None
    averages: SideValues
    scores: SideValues
    kind: str = ""  # void, average, adjusted, revoke, or ""
    marks: tuple[str, str] = ("", "")
    notes: tuple[str, ...] = ()


EMPTY_DETAIL = PlayDetail(NO_SIDE_VALUES, NO_SIDE_VALUES, NO_SIDE_VALUES)


@dataclass(frozen=True, slots=True)
class EventPlays:
    """All plays of an event, with their values after rulings."""

    tally: EventTally
    method: Method
    counts: dict[PlayKey, PlayValues]

    def get_detail(self, play: PlayKey) -> PlayDetail:
        """Return the details of one play; empty before it has a result."""
        values = self.counts.get(play)
        rulings = self.tally.rulings.get(play, [])
        ruled_play = self.tally.ruled_plays.get(play)
        kind = get_deciding_kind(rulings, ruled_play)
        if values is None:
            return PlayDetail(
                NO_SIDE_VALUES,
                NO_SIDE_VALUES,
                NO_SIDE_VALUES,
                kind,
                notes=describe_play_rulings(rulings, ruled_play),
            )
        return PlayDetail(
            counts=values.tricks if kind else NO_SIDE_VALUES,
            averages=values.averages,
            scores=values.scores,
            kind=kind,
            marks=format_revoke_marks(ruled_play),
            notes=describe_play_rulings(rulings, ruled_play),
        )

    def compute_average(
        self, room: SessionSnapshot, section: str, board: int
    ) -> Fraction | None:
        """Return N-S's average on a board's first deal, in the section or over all sections."""
        for pool in (section, ""):
            for key, name in self.tally.deal_names.items():
                if key > 0 and name[:3] == (room.session.number, pool, board):
                    lines = self.tally.pools[room.session.number, pool].lines
                    return compute_side_averages(
                        [result_line for result_line in lines if result_line.deal == key]
                    ).get(key, NO_SIDE_VALUES)[0]
        return None


def load_plays(room: SessionSnapshot, *, all_results: bool = True) -> EventPlays:
    """Load the values of all plays of a session's event, or only of public results."""
    event = room.session.event
    rows = load_event_rows(event)
    tally = count_rows(rows)
    if not all_results:
        tally = tally_public_results(rows, tally) or tally
    method = find_method(event)
    return EventPlays(tally, method, compute_play_values(tally, method))
