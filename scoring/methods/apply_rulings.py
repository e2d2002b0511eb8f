"""Apply rulings to results, which gives the result lines that are scored.

Results are never changed. A ruling is stored separately from the result. After it is withdrawn,
the result line is again the result as entered.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
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
from scoring.methods.steps import PlaceholderValue, Step, choose_plural_number

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
    is_confirmation_needed: bool = False
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
    revoke_reading: RevokeReading = RevokeReading.KEEP_TRICKS_ABOVE_AVERAGE,
) -> list[RuledPlayResult]:
    """Apply all rulings and return how each play counts, in the given order.

    `is_pair_match` selects rules H5-H7 for pairs instead of H4 for teams and individuals.
    `revoke_reading` is the event's reading of Law X §4. The limits of a revoke are the results
    of other tables before their rulings, so no revoke depends on another.
    If several rulings affect one play, the priority is: new deal, average, adjusted score,
    revokes.
    """
    compared_deals = _map_compared_deals(play_results, remedies)
    results_by_deal: dict[int, list[PlayResult]] = defaultdict(list)
    for play_result in play_results:
        deal = compared_deals[play_result.key]
        if deal is not None:
            results_by_deal[deal].append(play_result)
    revoke_settings = _RevokeSettings(is_pair_match, revoke_reading)
    ruled_results: list[RuledPlayResult] = []
    for play_result in play_results:
        deal = compared_deals[play_result.key]
        if deal is None:
            ruled_results.append(RuledPlayResult(play_result, None, is_void=True))
        elif play_result.outcome is not PlayOutcome.SPOILED and not remedies.get(
            play_result.key
        ):
            ruled_results.append(
                RuledPlayResult(play_result, _build_plain_line(play_result, deal))
            )
        else:
            ruled_results.append(
                _apply_remedies(
                    play_result, deal, results_by_deal[deal], remedies, revoke_settings
                )
            )
    return ruled_results


@dataclass(frozen=True, slots=True)
class _RevokeSettings:
    """The event's settings for revokes."""

    is_pair_match: bool
    revoke_reading: RevokeReading


def _apply_remedies(
    play_result: PlayResult,
    deal: int,
    deal_plays: Sequence[PlayResult],
    remedies: RemediesByPlay,
    revoke_settings: _RevokeSettings,
) -> RuledPlayResult:
    own_remedies = remedies.get(play_result.key, ())
    are_results_awaited = any(
        _is_result_awaited(other_play, remedies) for other_play in deal_plays
    )
    is_average = any(isinstance(remedy, AverageRuling) for remedy in own_remedies)
    adjusted_scores = [remedy for remedy in own_remedies if isinstance(remedy, AdjustedScore)]
    revokes = [remedy for remedy in own_remedies if isinstance(remedy, RevokeRuling)]
    if adjusted_scores and not is_average:
        return _apply_adjusted_score(
            play_result, deal, adjusted_scores[-1], format_revoke_marks(revokes)
        )
    if is_average or play_result.outcome is PlayOutcome.SPOILED:
        line = _copy_play_details(
            build_average_line(deal, play_result.ns, play_result.ew), play_result
        )
        return RuledPlayResult(play_result, line, is_provisional=are_results_awaited)
    if play_result.ns_tricks is None or not revokes:
        return RuledPlayResult(play_result, _build_plain_line(play_result, deal))
    other_plays = [
        other_play
        for other_play in deal_plays
        if other_play.key != play_result.key and _can_set_limits(other_play, remedies)
    ]
    revoke_outcome = apply_revokes(
        play_result,
        revokes,
        other_plays,
        revoke_settings.is_pair_match,
        revoke_settings.revoke_reading,
    )
    return _apply_revoke_outcome(play_result, deal, revoke_outcome, are_results_awaited)


def _map_compared_deals(
    play_results: Sequence[PlayResult], remedies: RemediesByPlay
) -> dict[int, int | None]:
    """Map each play to the deal on which it is compared; None if a new deal made it void.

    Plays after a new deal, and from a fouled play on, belong to another deal. The key of that
    deal is the negative key of the ruled play. The order of play is unknown if tables share
    the boards of a round. Therefore another play in the same round belongs to the other deal
    only if that play was also ruled fouled.
    """
    deal_starts_by_tray: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    last_void_round_by_tray: dict[tuple[int, int], int] = {}
    fouled_plays: set[int] = set()
    for play_result in play_results:
        tray_key = play_result.deal, play_result.deal_copy
        for remedy in remedies.get(play_result.key, ()):
            if isinstance(remedy, NewDealRuling):
                last_void_round_by_tray[tray_key] = max(
                    last_void_round_by_tray.get(tray_key, 0), play_result.round
                )
                deal_starts_by_tray[tray_key].append((play_result.round + 1, play_result.key))
            elif isinstance(remedy, FouledRuling):
                deal_starts_by_tray[tray_key].append((play_result.round + 1, play_result.key))
                fouled_plays.add(play_result.key)

    def find_compared_deal(play_result: PlayResult) -> int | None:
        tray_key = play_result.deal, play_result.deal_copy
        if play_result.round <= last_void_round_by_tray.get(tray_key, -1):
            return None
        effective_round = (
            play_result.round + 1 if play_result.key in fouled_plays else play_result.round
        )
        deal_starts = [
            deal_start
            for deal_start in deal_starts_by_tray.get(tray_key, ())
            if deal_start[0] <= effective_round
        ]
        return -max(deal_starts)[1] if deal_starts else play_result.deal

    return {play_result.key: find_compared_deal(play_result) for play_result in play_results}


def _is_result_awaited(play_result: PlayResult, remedies: RemediesByPlay) -> bool:
    return play_result.outcome is PlayOutcome.NOT_YET_PLAYED and not _is_set_by_director(
        play_result, remedies
    )


def _can_set_limits(play_result: PlayResult, remedies: RemediesByPlay) -> bool:
    """Return whether the score of this play may limit the penalty of a revoke elsewhere."""
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
        play_result.scoring_unit.both_sides_total,
    )
    return _copy_play_details(line._replace(points_won=play_result.points_won), play_result)


def _copy_play_details(line: ResultLine, play_result: PlayResult) -> ResultLine:
    return line._replace(
        is_overplay=play_result.is_overplay,
        match=play_result.match,
        total=play_result.scoring_unit.both_sides_total,
    )


def _apply_adjusted_score(
    play_result: PlayResult,
    deal: int,
    adjusted_score: AdjustedScore,
    revoke_marks: tuple[str, str],
) -> RuledPlayResult:
    adjusted_line = ResultLine(
        deal,
        play_result.ns,
        play_result.ew,
        adjusted_score.ns_tricks,
        adjusted_score.ew_tricks,
        valid_tricks=None,
    )
    line = _copy_play_details(adjusted_line, play_result)
    placeholder_values: dict[str, PlaceholderValue] = {
        "ns": adjusted_score.ns_tricks,
        "ew": adjusted_score.ew_tricks,
    }
    sentence = ngettext(
        "Adjusted score: {ns} trick for N-S, {ew} for E-W.",
        "Adjusted score: {ns} tricks for N-S, {ew} for E-W.",
        choose_plural_number(adjusted_score.ns_tricks),
    )
    if play_result.scoring_unit.is_in_points:
        sentence = _("Adjusted score: {ns:signed} points for N-S, {ew:signed} for E-W.")
    return RuledPlayResult(
        play_result,
        line,
        revoke_marks=revoke_marks,
        step=Step(adjusted_score.ns_tricks, sentence, placeholder_values),
    )


def _apply_revoke_outcome(
    play_result: PlayResult, deal: int, outcome: RevokeOutcome, are_results_awaited: bool
) -> RuledPlayResult:
    line = build_plain_line(deal, play_result.ns, play_result.ew, outcome.ns_tricks)._replace(
        valid_tricks=play_result.ns_tricks
    )
    return RuledPlayResult(
        play_result,
        _copy_play_details(line, play_result),
        is_provisional=are_results_awaited or outcome.has_unknown_limits,
        is_confirmation_needed=outcome.is_confirmation_needed,
        revoke_marks=outcome.revoke_marks,
        step=outcome.step,
    )
