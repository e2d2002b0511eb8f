"""The rows below a scorecard that add up to its total: sessions, penalties, and carry-over."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.sheets.plays import EventPlays
from scoring.sheets.values import ScorecardFooterRow, ScorecardLine
from scoring.standings_engine.result_lines import PlayKey, find_session_of_penalty
from scoring.standings_engine.scores import ZERO
from server import formatting

FULL_SHARE = Fraction(1)


def build_scorecard_footer(
    event_plays: EventPlays,
    entry_number: int,
    session_number: int,
    carry_over_share: Fraction,
    lines: Sequence[ScorecardLine],
    qualifying_score: Fraction = ZERO,
) -> tuple[ScorecardFooterRow, ...]:
    """Return the rows that add up to an entry's total; empty if there would be only one row.

    The rows are sessions, first the session of the scorecard, then penalties and carry-over.
    The last session counts in full, and each earlier one is multiplied by `carry_over_share`. A
    final starts with `qualifying_score`, which was carried over
    (scoring.standings_engine.scores).
    """
    session_numbers = sorted(
        {
            part_session_number
            for part_session_number, _section in event_plays.tally.pools_by_key
        }
    )
    last_session_number = max(session_numbers, default=session_number)
    has_other_rows = qualifying_score or event_plays.tally.penalties_by_session.get(
        last_session_number, {}
    ).get(entry_number)
    if len(session_numbers) < 2 and not has_other_rows:
        return ()
    card_parts: list[ScorecardFooterRow] = []
    for part_session_number in sorted(
        session_numbers,
        key=lambda listed_session_number: (
            listed_session_number != session_number,
            listed_session_number,
        ),
    ):
        has_hidden_boards = part_session_number == session_number and _sum_non_void_tricks(
            lines
        ) != _sum_session_tricks(event_plays, entry_number, part_session_number)
        session_row = _build_session_row(
            event_plays,
            entry_number,
            part_session_number,
            is_hidden=has_hidden_boards,
            is_only_session=len(session_numbers) == 1,
        )
        penalty = event_plays.tally.penalties_by_session.get(part_session_number, {}).get(
            entry_number, ZERO
        )
        card_parts += [
            session_row,
            *_iter_penalty_rows(event_plays, entry_number, part_session_number, penalty),
        ]
        if part_session_number != last_session_number and carry_over_share != FULL_SHARE:
            card_parts.append(
                _build_carry_over_row(
                    ((session_row.score or ZERO) - penalty) * (carry_over_share - FULL_SHARE),
                    carry_over_share,
                )
            )
    if qualifying_score:
        note = _("from qualifying")
        card_parts.append(
            ScorecardFooterRow(_("Carry-forward"), note, None, None, qualifying_score)
        )
    return tuple(card_parts)


def _build_session_row(
    event_plays: EventPlays,
    entry_number: int,
    session_number: int,
    *,
    is_hidden: bool,
    is_only_session: bool,
) -> ScorecardFooterRow:
    """Return an entry's total of one session, before penalties."""
    averages = [
        event_plays.values_by_play[play_key].averages[side_index]
        for play_key, side_index in _iter_plays(event_plays, entry_number, session_number)
    ]
    known_averages = [average for average in averages if average is not None]
    return ScorecardFooterRow(
        title=_("Boards")
        if is_only_session
        else _("Session %(number)s") % {"number": session_number},
        note=_("with boards that others may still play") if is_hidden else "",
        tricks=_sum_session_tricks(event_plays, entry_number, session_number),
        average=sum(known_averages, ZERO) if len(known_averages) == len(averages) else None,
        score=sum(
            (
                event_plays.method.score(pool.lines).get(entry_number, ZERO)
                for (
                    pool_session_number,
                    _section,
                ), pool in event_plays.tally.pools_by_key.items()
                if pool_session_number == session_number
            ),
            ZERO,
        ),
    )


def _iter_penalty_rows(
    event_plays: EventPlays, entry_number: int, session_number: int, penalty: Fraction
) -> Iterator[ScorecardFooterRow]:
    if not penalty:
        return
    penalty_reasons = [
        ruling.reason
        for ruling in event_plays.tally.penalties
        if ruling.entry
        and ruling.entry.number == entry_number
        and find_session_of_penalty(event_plays.tally, ruling) == session_number
        and ruling.reason
    ]
    yield ScorecardFooterRow(_("Penalty"), "; ".join(penalty_reasons), None, None, -penalty)


def _build_carry_over_row(
    carry_over_adjustment: Fraction, carry_over_share: Fraction
) -> ScorecardFooterRow:
    note = _("only %(part)s of it is carried forward") % {
        "part": formatting.format_plain(carry_over_share)
    }
    return ScorecardFooterRow(_("Carried forward"), note, None, None, carry_over_adjustment)


def _sum_session_tricks(
    event_plays: EventPlays, entry_number: int, session_number: int
) -> Fraction:
    tricks_of_plays = [
        event_plays.values_by_play[play].tricks[side_index]
        for play, side_index in _iter_plays(event_plays, entry_number, session_number)
    ]
    return sum((tricks for tricks in tricks_of_plays if tricks is not None), ZERO)


def _sum_non_void_tricks(lines: Sequence[ScorecardLine]) -> Fraction:
    """Add up the visible lines of a scorecard."""
    lines_without_void = [line for line in lines if line.ruling_kind != "void"]
    return sum(
        (
            line.counted_tricks
            if line.counted_tricks is not None
            else Fraction(line.compared_value or 0)
            for line in lines_without_void
        ),
        ZERO,
    )


def _iter_plays(
    event_plays: EventPlays, entry_number: int, session_number: int
) -> Iterator[tuple[PlayKey, int]]:
    """Yield the plays of an entry in a session, each with the entry's side: 0 N-S, 1 E-W."""
    for (pool_session_number, _section), pool in event_plays.tally.pools_by_key.items():
        if pool_session_number != session_number:
            continue
        for result_line, play in zip(pool.lines, pool.plays, strict=True):
            if entry_number in result_line.ns_entries:
                yield play, 0
            elif entry_number in result_line.ew_entries:
                yield play, 1
