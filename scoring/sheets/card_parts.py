"""The rows below a scorecard that add up to its total: sessions, penalties, and carry-over."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.sheets.plays import EventPlays
from scoring.sheets.values import CardLine, CardPart
from scoring.standings_engine.result_lines import PlayKey, find_session_of_penalty
from scoring.standings_engine.scores import ZERO
from server import formatting

FULL_SHARE = Fraction(1)


def split_card_totals(
    plays: EventPlays,
    entry: int,
    session_number: int,
    part: Fraction,
    lines: Sequence[CardLine],
    qualifying_score: Fraction = ZERO,
) -> tuple[CardPart, ...]:
    """Split an entry's totals by sessions, the scorecard's own first; empty for a single part.

    The last session counts in full and each earlier one with the factor `part`. A final starts
    with the score `qualifying_score` from the qualifying (scoring.standings_engine.scores).
    """
    sessions = sorted({number for number, _section in plays.tally.pools})
    last = max(sessions, default=session_number)
    is_changed = qualifying_score or plays.tally.penalties_by_session.get(last, {}).get(entry)
    if len(sessions) < 2 and not is_changed:
        return ()
    parts: list[CardPart] = []
    for number in sorted(sessions, key=lambda each: (each != session_number, each)):
        hidden = number == session_number and _sum_visible_lines(lines) != _sum_session_tricks(
            plays, entry, number
        )
        full_part = _build_session_part(
            plays, entry, number, is_hidden=hidden, is_only_session=len(sessions) == 1
        )
        loss = plays.tally.penalties_by_session.get(number, {}).get(entry, ZERO)
        parts += [full_part, *_iter_penalty_parts(plays, entry, number, loss)]
        if number != last and part != FULL_SHARE:
            parts.append(
                _build_carry_over_part(
                    ((full_part.score or ZERO) - loss) * (part - FULL_SHARE), part
                )
            )
    if qualifying_score:
        label = _("from the qualifying")
        parts.append(CardPart(_("Carry-forward"), label, None, None, qualifying_score))
    return tuple(parts)


def _build_session_part(
    plays: EventPlays, entry: int, number: int, *, is_hidden: bool, is_only_session: bool
) -> CardPart:
    """Return an entry's total of one session, before penalties."""
    averages = [
        plays.counts[play].averages[side_index]
        for play, side_index in _iter_plays(plays, entry, number)
    ]
    known_averages = [average for average in averages if average is not None]
    return CardPart(
        title=_("Boards") if is_only_session else _("Session %(number)s") % {"number": number},
        note=_("with boards that others may still play") if is_hidden else "",
        tricks=_sum_session_tricks(plays, entry, number),
        average=sum(known_averages, ZERO) if len(known_averages) == len(averages) else None,
        score=sum(
            (
                plays.method.score(pool.lines).get(entry, ZERO)
                for (session, _section), pool in plays.tally.pools.items()
                if session == number
            ),
            ZERO,
        ),
    )


def _iter_penalty_parts(
    plays: EventPlays, entry: int, number: int, loss: Fraction
) -> Iterator[CardPart]:
    if not loss:
        return
    reasons = [
        ruling.reason
        for ruling in plays.tally.penalties
        if ruling.entry
        and ruling.entry.number == entry
        and find_session_of_penalty(plays.tally, ruling) == number
        and ruling.reason
    ]
    yield CardPart(_("Penalty"), "; ".join(reasons), None, None, -loss)


def _build_carry_over_part(change: Fraction, part: Fraction) -> CardPart:
    note = _("only %(part)s of it is carried forward") % {"part": formatting.format_plain(part)}
    return CardPart(_("Carried forward"), note, None, None, change)


def _sum_session_tricks(plays: EventPlays, entry: int, number: int) -> Fraction:
    tricks_taken = [
        plays.counts[play].tricks[side_index]
        for play, side_index in _iter_plays(plays, entry, number)
    ]
    return sum((tricks for tricks in tricks_taken if tricks is not None), ZERO)


def _sum_visible_lines(lines: Sequence[CardLine]) -> Fraction:
    """Add up the visible lines of a scorecard."""
    visible_lines = [line for line in lines if line.ruled != "void"]
    return sum(
        (
            line.counts if line.counts is not None else Fraction(line.compared_value or 0)
            for line in visible_lines
        ),
        ZERO,
    )


def _iter_plays(plays: EventPlays, entry: int, number: int) -> Iterator[tuple[PlayKey, int]]:
    """Yield the plays of an entry in a session, each with its side: 0 for N-S."""
    for (session, _section), pool in plays.tally.pools.items():
        if session != number:
            continue
        for line, play in zip(pool.lines, pool.plays, strict=True):
            if entry in line.ns:
                yield play, 0
            elif entry in line.ew:
                yield play, 1
