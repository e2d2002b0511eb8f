"""The progress of each round at each table, from the result lines of an event."""

from collections import Counter

from scoring.secrecy import RoundProgress
from scoring.standings_engine.result_lines import EventRows, EventTally
from scoring.standings_engine.result_rows import REPLACING_RULING_KINDS, find_entered_plays


def build_round_progress(event_rows: EventRows, tally: EventTally) -> list[RoundProgress]:
    """Return the progress of each round at each table, from the rows and their lines.

    `score_count` counts only scores made at the table, not averages or scores set by the
    director.
    """
    entered_plays = find_entered_plays(
        event_rows.results, event_rows.rulings_by_result, should_include_voided_plays=False
    )
    score_counts_by_sitting: Counter[int] = Counter()
    for pool in tally.pools_by_key.values():
        for result_line, play in zip(pool.lines, pool.plays, strict=True):
            rulings = event_rows.rulings_by_play.get(play, ())
            is_set_by_ruling = any(ruling.kind in REPLACING_RULING_KINDS for ruling in rulings)
            score_counts_by_sitting[play[0]] += (
                result_line.ns_tricks is not None and not is_set_by_ruling
            )
    return [
        RoundProgress(
            session_number=sitting_sides.session_number,
            sitting_id=sitting_id,
            boards=sitting_sides.boards,
            is_complete=all(
                (sitting_id, board_number) in entered_plays
                for board_number in sitting_sides.boards
            ),
            score_count=score_counts_by_sitting[sitting_id],
        )
        for sitting_id, sitting_sides in event_rows.sides_by_sitting.items()
        if sitting_sides.is_played
    ]
