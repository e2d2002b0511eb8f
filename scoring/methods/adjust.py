"""Applying rulings: turn results and rulings into the lines that are scored.

Results are never changed: a ruling is stored beside its result, and without the ruling the
result gives its plain line again.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods.lines import Line, averaged, played
from scoring.methods.remedies import (
    Adjusted,
    Average,
    Fouled,
    Made,
    NewDeal,
    Outcome,
    Remedy,
    Revoked,
)
from scoring.methods.revoke import Reading
from scoring.methods.revoked import RevokeOutcome, after_revokes, marks_of
from scoring.methods.steps import Figure, Step, form

Remedies = Mapping[int, Sequence[Remedy]]
"""The rulings on each play, by the play's key."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One play of a deal after rulings: its line, if any, and the effect of the rulings."""

    made: Made
    line: Line | None
    """None while the result is to come, when the deal was not reached, and when it is void."""
    void: bool = False
    provisional: bool = False
    """Whether results still to come at other tables may change this line."""
    confirm: bool = False
    """Whether the law is silent, so that the director must confirm the outcome."""
    marks: tuple[str, str] = ("", "")
    """The revoke marks beside the N-S and the E-W score: "-R", "+R" (rules H5)."""
    step: Step | None = None
    """The arithmetic of the ruling, for the side that it binds."""


def adjust(
    mades: Sequence[Made],
    remedies: Remedies,
    *,
    pair_match: bool,
    reading: Reading = Reading.KEEP_TRICKS_ABOVE_AVERAGE,
) -> list[Counted]:
    """Apply all rulings and return how each play counts, in the order given.

    `pair_match` chooses between rules H5-H7 for pairs and H4 for teams and individuals. A
    revoke's limits come from the other tables before rulings, so no revoke waits for another.
    Where several rulings affect one play, a new deal has priority, then the average, then an
    adjusted score, then revokes.
    """
    deals = _deals(mades, remedies)
    on_deals: dict[int, list[Made]] = defaultdict(list)
    for made in mades:
        deal = deals[made.key]
        if deal is not None:
            on_deals[deal].append(made)
    terms = _Terms(pair_match, reading)
    counted: list[Counted] = []
    for made in mades:
        deal = deals[made.key]
        if deal is None:
            counted.append(Counted(made, None, void=True))
        elif made.outcome is not Outcome.SPOILED and not remedies.get(made.key):
            counted.append(Counted(made, _plain(made, deal)))
        else:
            counted.append(_remedied(made, deal, on_deals[deal], remedies, terms))
    return counted


def lines_of(counted: Iterable[Counted]) -> list[Line]:
    """Return the lines of the plays that have one."""
    return [one.line for one in counted if one.line is not None]


@dataclass(frozen=True, slots=True)
class _Terms:
    """The event's settings for revokes."""

    pair_match: bool
    reading: Reading


def _remedied(
    made: Made, deal: int, plays: Sequence[Made], remedies: Remedies, terms: _Terms
) -> Counted:
    mine = remedies.get(made.key, ())
    is_open = any(_is_awaited(it, remedies) for it in plays)
    is_average = any(isinstance(it, Average) for it in mine)
    adjusted = [it for it in mine if isinstance(it, Adjusted)]
    revokes = [it for it in mine if isinstance(it, Revoked)]
    if adjusted and not is_average:
        return _set_by_director(made, deal, adjusted[-1], marks_of(revokes))
    if is_average or made.outcome is Outcome.SPOILED:
        line = _as_in(averaged(deal, made.ns, made.ew), made)
        return Counted(made, line, provisional=is_open)
    if made.ns_tricks is None or not revokes:
        return Counted(made, _plain(made, deal))
    others = [it for it in plays if it.key != made.key and _is_valid(it, remedies)]
    found = after_revokes(made, revokes, others, terms.pair_match, terms.reading)
    return _penalised(made, deal, found, is_open)


def _deals(mades: Sequence[Made], remedies: Remedies) -> dict[int, int | None]:
    """Map each play to the deal on which it is compared; None where a new deal made it void.

    Plays after a new deal, and from a fouled play on, belong to another deal. Its key is the
    ruled play's own key as a negative number, which no deal has. Tables that share the boards
    of a round have no known order of play. So a fouled play begins the other deal, and another
    play of the same round belongs to it only if it was ruled fouled too.
    """
    fresh: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    void: dict[tuple[int, int], int] = {}
    fouled: set[int] = set()
    for made in mades:
        tray = made.deal, made.tray
        for remedy in remedies.get(made.key, ()):
            if isinstance(remedy, NewDeal):
                void[tray] = max(void.get(tray, 0), made.turn)
                fresh[tray].append((made.turn + 1, made.key))
            elif isinstance(remedy, Fouled):
                fresh[tray].append((made.turn + 1, made.key))
                fouled.add(made.key)

    def compared_on(made: Made) -> int | None:
        tray = made.deal, made.tray
        if made.turn <= void.get(tray, -1):
            return None
        turn = made.turn + 1 if made.key in fouled else made.turn
        begun = [start for start in fresh.get(tray, ()) if start[0] <= turn]
        return -max(begun)[1] if begun else made.deal

    return {made.key: compared_on(made) for made in mades}


def _is_awaited(made: Made, remedies: Remedies) -> bool:
    return made.outcome is Outcome.TO_COME and not _is_set(made, remedies)


def _is_valid(made: Made, remedies: Remedies) -> bool:
    """Return whether other tables' limits may be taken from the play."""
    return made.outcome is Outcome.PLAYED and not _is_set(made, remedies)


def _is_set(made: Made, remedies: Remedies) -> bool:
    return any(isinstance(it, Average | Adjusted) for it in remedies.get(made.key, ()))


def _plain(made: Made, deal: int) -> Line | None:
    if made.ns_tricks is None:
        return None
    line = played(deal, made.ns, made.ew, made.ns_tricks, made.counting.in_all)
    return _as_in(line._replace(won=made.won), made)


def _as_in(line: Line, made: Made) -> Line:
    return line._replace(overplay=made.overplay, match=made.match, in_all=made.counting.in_all)


def _set_by_director(
    made: Made, deal: int, adjusted: Adjusted, marks: tuple[str, str]
) -> Counted:
    split = Line(deal, made.ns, made.ew, adjusted.ns_tricks, adjusted.ew_tricks, right=None)
    line = _as_in(split, made)
    figures: dict[str, Figure] = {"ns": adjusted.ns_tricks, "ew": adjusted.ew_tricks}
    words = ngettext(
        "The director set {ns} trick for N-S and {ew} for E-W.",
        "The director set {ns} tricks for N-S and {ew} for E-W.",
        form(adjusted.ns_tricks),
    )
    if made.counting.in_points:
        words = _("The director set {ns:signed} points for N-S and {ew:signed} for E-W.")
    return Counted(made, line, marks=marks, step=Step(adjusted.ns_tricks, words, figures))


def _penalised(made: Made, deal: int, found: RevokeOutcome, is_open: bool) -> Counted:
    line = played(deal, made.ns, made.ew, found.ns_tricks)._replace(right=made.ns_tricks)
    return Counted(
        made,
        _as_in(line, made),
        provisional=is_open or found.unknown,
        confirm=found.confirm,
        marks=found.marks,
        step=found.step,
    )
