"""The values of each play of a session after rulings, with notes on the rulings."""

from dataclasses import dataclass
from fractions import Fraction

from scoring.methods import Method
from scoring.methods.plus_minus import compute_side_averages
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.rulings import (
    describe_play_rulings,
    format_revoke_marks,
    get_deciding_ruling_kind,
)
from scoring.standings_engine.result_lines import (
    EventTally,
    PlayKey,
    load_event_rows,
    tally_results,
)
from scoring.standings_engine.scores import (
    NO_SIDE_VALUES,
    PlayValues,
    SideValues,
    compute_play_values,
    find_scoring_method,
    tally_public_results,
)


@dataclass(frozen=True, slots=True)
class PlayDetail:
    """The details of one play: the value that counts, averages, scores and rulings."""

    counted_tricks: SideValues  # the tricks after a ruling; None without a ruling
    averages: SideValues
    scores: SideValues
    ruling_kind: str = ""  # void, average, adjusted, revoke, or ""
    revoke_marks: tuple[str, str] = ("", "")
    notes: tuple[str, ...] = ()


EMPTY_DETAIL = PlayDetail(NO_SIDE_VALUES, NO_SIDE_VALUES, NO_SIDE_VALUES)


@dataclass(frozen=True, slots=True)
class EventPlays:
    """All plays of an event, with their values after rulings."""

    tally: EventTally
    method: Method
    values_by_play: dict[PlayKey, PlayValues]

    def get_play_detail(self, play: PlayKey) -> PlayDetail:
        """Return the details of one play; empty before it has a result."""
        play_values = self.values_by_play.get(play)
        rulings = self.tally.rulings_by_play.get(play, [])
        ruled_play = self.tally.ruled_results_by_play.get(play)
        ruling_kind = get_deciding_ruling_kind(rulings, ruled_play)
        if play_values is None:
            return PlayDetail(
                NO_SIDE_VALUES,
                NO_SIDE_VALUES,
                NO_SIDE_VALUES,
                ruling_kind,
                notes=describe_play_rulings(rulings, ruled_play),
            )
        return PlayDetail(
            counted_tricks=play_values.tricks if ruling_kind else NO_SIDE_VALUES,
            averages=play_values.averages,
            scores=play_values.scores,
            ruling_kind=ruling_kind,
            revoke_marks=format_revoke_marks(ruled_play),
            notes=describe_play_rulings(rulings, ruled_play),
        )

    def compute_ns_average(
        self, snapshot: SessionSnapshot, section_letter: str, board_number: int
    ) -> Fraction | None:
        """Return the N-S average on a board's first deal, or None if it was not compared.

        It is the average of the section, or of all sections if they are compared as one.
        """
        for pool_section_letter in (section_letter, ""):
            for deal_number, deal_name in self.tally.deal_names_by_number.items():
                if deal_number > 0 and deal_name[:3] == (
                    snapshot.session.number,
                    pool_section_letter,
                    board_number,
                ):
                    result_lines = self.tally.pools_by_key[
                        snapshot.session.number, pool_section_letter
                    ].lines
                    return compute_side_averages(
                        [
                            result_line
                            for result_line in result_lines
                            if result_line.deal_number == deal_number
                        ]
                    ).get(deal_number, NO_SIDE_VALUES)[0]
        return None


def load_plays(
    snapshot: SessionSnapshot, *, should_include_hidden_results: bool = True
) -> EventPlays:
    """Load the values of all plays of a session's event, by default with hidden results."""
    event = snapshot.session.event
    event_rows = load_event_rows(event)
    tally = tally_results(event_rows)
    if not should_include_hidden_results:
        tally = tally_public_results(event_rows, tally) or tally
    method = find_scoring_method(event)
    return EventPlays(tally, method, compute_play_values(tally, method))
