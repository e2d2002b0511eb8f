"""Application of rulings: results and rulings become the result lines that are scored.

Results are never changed. A ruling is stored separately from its result, and without the
ruling the result gives its plain line again.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods.remedies import (
    AdjustedScore,
    AverageRuling,
    FouledRuling,
    NewDealRuling,
    PlayOutcome,
    PlayResult,
    Remedy,
    RevokeRuling,
)
from scoring.methods.result_line import ResultLine, build_average_line, build_plain_line
from scoring.methods.revoke_outcome import RevokeOutcome, apply_revokes, format_revoke_marks
from scoring.methods.revoke_penalty import RevokeReading
from scoring.methods.steps import Figure, Step, choose_plural_number

RemediesByPlay = Mapping[int, Sequence[Remedy]]
"""The rulings on each play, by the play's key."""


@dataclass(frozen=True, slots=True)
class RuledPlayResult:
    """One play of a deal after rulings: its result line, if any, and the effect of the
    rulings.
    """

    play_result: PlayResult
    line: ResultLine | None
    """None while the result is missing, when the deal was not reached, and when it is void."""
    is_void: bool = False
    is_provisional: bool = False
    """Whether missing results at other tables may still change this line."""
    needs_confirmation: bool = False
    """Whether the law is silent, so that the director must confirm the outcome."""
    revoke_marks: tuple[str, str] = ("", "")
    """The revoke marks shown next to the N-S and the E-W score: "-R", "+R" (rules H5)."""
    step: Step | None = None
    """The arithmetic of the ruling, for the side to which it applies."""


def apply_rulings(
    play_results: Sequence[PlayResult],
    remedies: RemediesByPlay,
    *,
    is_pair_match: bool,
    reading: RevokeReading = RevokeReading.KEEP_TRICKS_ABOVE_AVERAGE,
) -> list[RuledPlayResult]:
    """Apply all rulings and return how each play counts, in the given order.

    `is_pair_match` selects rules H5-H7 for pairs instead of H4 for teams and individuals. A
    revoke's limits come from the other tables before rulings, so no revoke depends on another.
    If several rulings affect one play, a new deal has priority, then the average, then an
    adjusted score, then revokes.
    """
    deals = _map_compared_deals(play_results, remedies)
    results_by_deal: dict[int, list[PlayResult]] = defaultdict(list)
    for play in play_results:
        deal = deals[play.key]
        if deal is not None:
            results_by_deal[deal].append(play)
    terms = _RevokeSettings(is_pair_match, reading)
    ruled_results: list[RuledPlayResult] = []
    for play in play_results:
        deal = deals[play.key]
        if deal is None:
            ruled_results.append(RuledPlayResult(play, None, is_void=True))
        elif play.outcome is not PlayOutcome.SPOILED and not remedies.get(play.key):
            ruled_results.append(RuledPlayResult(play, _build_plain_line(play, deal)))
        else:
            ruled_results.append(
                _apply_remedies(play, deal, results_by_deal[deal], remedies, terms)
            )
    return ruled_results


def collect_lines(counted: Iterable[RuledPlayResult]) -> list[ResultLine]:
    """Return the lines of the plays that have one."""
    return [ruled_result.line for ruled_result in counted if ruled_result.line is not None]


@dataclass(frozen=True, slots=True)
class _RevokeSettings:
    """The event's settings for revokes."""

    pair_match: bool
    reading: RevokeReading


def _apply_remedies(
    play_result: PlayResult,
    deal: int,
    plays: Sequence[PlayResult],
    remedies: RemediesByPlay,
    terms: _RevokeSettings,
) -> RuledPlayResult:
    own_remedies = remedies.get(play_result.key, ())
    is_open = any(_is_result_awaited(each, remedies) for each in plays)
    is_average = any(isinstance(remedy, AverageRuling) for remedy in own_remedies)
    adjusted = [remedy for remedy in own_remedies if isinstance(remedy, AdjustedScore)]
    revokes = [remedy for remedy in own_remedies if isinstance(remedy, RevokeRuling)]
    if adjusted and not is_average:
        return _apply_adjusted_score(
            play_result, deal, adjusted[-1], format_revoke_marks(revokes)
        )
    if is_average or play_result.outcome is PlayOutcome.SPOILED:
        line = _copy_play_details(
            build_average_line(deal, play_result.ns, play_result.ew), play_result
        )
        return RuledPlayResult(play_result, line, is_provisional=is_open)
    if play_result.ns_tricks is None or not revokes:
        return RuledPlayResult(play_result, _build_plain_line(play_result, deal))
    other_plays = [
        each
        for each in plays
        if each.key != play_result.key and _can_set_limits(each, remedies)
    ]
    revoke_outcome = apply_revokes(
        play_result, revokes, other_plays, terms.pair_match, terms.reading
    )
    return _apply_revoke_outcome(play_result, deal, revoke_outcome, is_open)


def _map_compared_deals(
    play_results: Sequence[PlayResult], remedies: RemediesByPlay
) -> dict[int, int | None]:
    """Map each play to the deal on which it is compared; None if a new deal made it void.

    Plays after a new deal, and from a fouled play on, belong to another deal. Its key is the
    ruled play's own key as a negative number, which no deal has. Tables that share the boards
    of a round have no known order of play. Therefore a fouled play begins the other deal, and
    another play of the same round belongs to it only if it was ruled fouled too.
    """
    new_deals: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    voided_until: dict[tuple[int, int], int] = {}
    fouled_plays: set[int] = set()
    for play in play_results:
        tray = play.deal, play.deal_copy
        for remedy in remedies.get(play.key, ()):
            if isinstance(remedy, NewDealRuling):
                voided_until[tray] = max(voided_until.get(tray, 0), play.round)
                new_deals[tray].append((play.round + 1, play.key))
            elif isinstance(remedy, FouledRuling):
                new_deals[tray].append((play.round + 1, play.key))
                fouled_plays.add(play.key)

    def compared_on(play: PlayResult) -> int | None:
        tray = play.deal, play.deal_copy
        if play.round <= voided_until.get(tray, -1):
            return None
        effective_round = play.round + 1 if play.key in fouled_plays else play.round
        started_deals = [
            start for start in new_deals.get(tray, ()) if start[0] <= effective_round
        ]
        return -max(started_deals)[1] if started_deals else play.deal

    return {play.key: compared_on(play) for play in play_results}


def _is_result_awaited(play_result: PlayResult, remedies: RemediesByPlay) -> bool:
    return play_result.outcome is PlayOutcome.TO_COME and not _is_set_by_director(
        play_result, remedies
    )


def _can_set_limits(play_result: PlayResult, remedies: RemediesByPlay) -> bool:
    """Return whether the limits of other tables may be computed from the play."""
    return play_result.outcome is PlayOutcome.PLAYED and not _is_set_by_director(
        play_result, remedies
    )


def _is_set_by_director(play_result: PlayResult, remedies: RemediesByPlay) -> bool:
    return any(
        isinstance(remedy, AverageRuling | AdjustedScore)
        for remedy in remedies.get(play_result.key, ())
    )


def _build_plain_line(play_result: PlayResult, deal: int) -> ResultLine | None:
    if play_result.ns_tricks is None:
        return None
    line = build_plain_line(
        deal,
        play_result.ns,
        play_result.ew,
        play_result.ns_tricks,
        play_result.counting.both_sides_total,
    )
    return _copy_play_details(line._replace(won=play_result.won), play_result)


def _copy_play_details(line: ResultLine, play_result: PlayResult) -> ResultLine:
    return line._replace(
        overplay=play_result.overplay,
        match=play_result.match,
        total=play_result.counting.both_sides_total,
    )


def _apply_adjusted_score(
    play_result: PlayResult, deal: int, adjusted_score: AdjustedScore, marks: tuple[str, str]
) -> RuledPlayResult:
    split = ResultLine(
        deal,
        play_result.ns,
        play_result.ew,
        adjusted_score.ns_tricks,
        adjusted_score.ew_tricks,
        valid_tricks=None,
    )
    line = _copy_play_details(split, play_result)
    figures: dict[str, Figure] = {
        "ns": adjusted_score.ns_tricks,
        "ew": adjusted_score.ew_tricks,
    }
    sentence = ngettext(
        "Adjusted score: {ns} trick for N-S, {ew} for E-W.",
        "Adjusted score: {ns} tricks for N-S, {ew} for E-W.",
        choose_plural_number(adjusted_score.ns_tricks),
    )
    if play_result.counting.is_in_points:
        sentence = _("Adjusted score: {ns:signed} points for N-S, {ew:signed} for E-W.")
    return RuledPlayResult(
        play_result,
        line,
        revoke_marks=marks,
        step=Step(adjusted_score.ns_tricks, sentence, figures),
    )


def _apply_revoke_outcome(
    play_result: PlayResult, deal: int, outcome: RevokeOutcome, is_open: bool
) -> RuledPlayResult:
    line = build_plain_line(deal, play_result.ns, play_result.ew, outcome.ns_tricks)._replace(
        valid_tricks=play_result.ns_tricks
    )
    return RuledPlayResult(
        play_result,
        _copy_play_details(line, play_result),
        is_provisional=is_open or outcome.unknown,
        needs_confirmation=outcome.confirm,
        revoke_marks=outcome.marks,
        step=outcome.step,
    )
