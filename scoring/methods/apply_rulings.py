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
    FouledHandsRuling,
    NewDealRuling,
    PlayOutcome,
    PlayResult,
    Remedy,
    RevokeRuling,
)
from scoring.methods.result_line import ResultLine, build_average_line, build_plain_line
from scoring.methods.revoke_outcome import RevokeOutcome, apply_revokes, format_revoke_marks
from scoring.methods.revoke_penalty import RevokeLawReading
from scoring.methods.steps import PlaceholderValue, Step, choose_plural_number

RemediesByPlay = Mapping[int, Sequence[Remedy]]
"""The rulings on each play, by the play's key."""


@dataclass(frozen=True, slots=True)
class RuledPlayResult:
    """One play of a deal after rulings: its result line, if any, and the effect of the
    rulings.
    """

    play_result: PlayResult
    result_line: ResultLine | None
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
    remedies_by_play: RemediesByPlay,
    *,
    is_pair_match: bool,
    revoke_law_reading: RevokeLawReading = RevokeLawReading.KEEP_TRICKS_ABOVE_AVERAGE,
) -> list[RuledPlayResult]:
    """Apply all rulings and return how each play counts, in the given order.

    `is_pair_match` selects rules H5-H7 for pairs instead of H4 for teams and individuals.
    `revoke_law_reading` is the event's reading of Law X §4. The limits of a revoke are the
    results of other tables before their rulings, so no revoke depends on another. If several
    rulings affect one play, the priority is: new deal, average, adjusted score, revokes.
    """
    compared_deal_by_play = _map_compared_deals(play_results, remedies_by_play)
    results_by_deal: dict[int, list[PlayResult]] = defaultdict(list)
    for play_result in play_results:
        deal_number = compared_deal_by_play[play_result.play_number]
        if deal_number is not None:
            results_by_deal[deal_number].append(play_result)
    revoke_settings = _RevokeSettings(is_pair_match, revoke_law_reading)
    ruled_results: list[RuledPlayResult] = []
    for play_result in play_results:
        deal_number = compared_deal_by_play[play_result.play_number]
        if deal_number is None:
            ruled_results.append(RuledPlayResult(play_result, None, is_void=True))
        elif play_result.outcome is not PlayOutcome.SPOILED and not remedies_by_play.get(
            play_result.play_number
        ):
            ruled_results.append(
                RuledPlayResult(play_result, _build_plain_line(play_result, deal_number))
            )
        else:
            ruled_results.append(
                _apply_remedies(
                    play_result,
                    deal_number,
                    results_by_deal[deal_number],
                    remedies_by_play,
                    revoke_settings,
                )
            )
    return ruled_results


@dataclass(frozen=True, slots=True)
class _RevokeSettings:
    """The event's settings for revokes."""

    is_pair_match: bool
    revoke_law_reading: RevokeLawReading


def _apply_remedies(
    play_result: PlayResult,
    deal_number: int,
    deal_plays: Sequence[PlayResult],
    remedies_by_play: RemediesByPlay,
    revoke_settings: _RevokeSettings,
) -> RuledPlayResult:
    own_remedies = remedies_by_play.get(play_result.play_number, ())
    are_results_awaited = any(
        _is_result_awaited(other_play, remedies_by_play) for other_play in deal_plays
    )
    has_average_ruling = any(isinstance(remedy, AverageRuling) for remedy in own_remedies)
    adjusted_scores = [remedy for remedy in own_remedies if isinstance(remedy, AdjustedScore)]
    revokes = [remedy for remedy in own_remedies if isinstance(remedy, RevokeRuling)]
    if adjusted_scores and not has_average_ruling:
        return _apply_adjusted_score(
            play_result, deal_number, adjusted_scores[-1], format_revoke_marks(revokes)
        )
    if has_average_ruling or play_result.outcome is PlayOutcome.SPOILED:
        result_line = _copy_play_details(
            build_average_line(deal_number, play_result.ns_entries, play_result.ew_entries),
            play_result,
        )
        return RuledPlayResult(play_result, result_line, is_provisional=are_results_awaited)
    if play_result.ns_tricks is None or not revokes:
        return RuledPlayResult(play_result, _build_plain_line(play_result, deal_number))
    other_plays = [
        other_play
        for other_play in deal_plays
        if other_play.play_number != play_result.play_number
        and _can_limit_revoke_penalty(other_play, remedies_by_play)
    ]
    revoke_outcome = apply_revokes(
        play_result,
        revokes,
        other_plays,
        revoke_settings.is_pair_match,
        revoke_settings.revoke_law_reading,
    )
    return _apply_revoke_outcome(play_result, deal_number, revoke_outcome, are_results_awaited)


def _map_compared_deals(
    play_results: Sequence[PlayResult], remedies_by_play: RemediesByPlay
) -> dict[int, int | None]:
    """Map each play to the deal on which it is compared; None if a new deal made it void.

    Plays after a new deal, and from a fouled play on, belong to another deal. The key of that
    deal is the negative key of the ruled play. The order of play is unknown if tables share
    the boards of a round. Therefore another play in the same round belongs to the other deal
    only if that play was also ruled fouled.
    """
    deal_starts_by_tray: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    last_void_round_by_tray: dict[tuple[int, int], int] = {}
    fouled_play_numbers: set[int] = set()
    for play_result in play_results:
        tray_key = play_result.deal_number, play_result.deal_copy_number
        for remedy in remedies_by_play.get(play_result.play_number, ()):
            if isinstance(remedy, NewDealRuling):
                last_void_round_by_tray[tray_key] = max(
                    last_void_round_by_tray.get(tray_key, 0), play_result.round_number
                )
                deal_starts_by_tray[tray_key].append(
                    (play_result.round_number + 1, play_result.play_number)
                )
            elif isinstance(remedy, FouledHandsRuling):
                deal_starts_by_tray[tray_key].append(
                    (play_result.round_number + 1, play_result.play_number)
                )
                fouled_play_numbers.add(play_result.play_number)

    def find_compared_deal_number(play_result: PlayResult) -> int | None:
        tray_key = play_result.deal_number, play_result.deal_copy_number
        if play_result.round_number <= last_void_round_by_tray.get(tray_key, -1):
            return None
        effective_round_number = (
            play_result.round_number + 1
            if play_result.play_number in fouled_play_numbers
            else play_result.round_number
        )
        deal_starts = [
            deal_start
            for deal_start in deal_starts_by_tray.get(tray_key, ())
            if deal_start[0] <= effective_round_number
        ]
        return -max(deal_starts)[1] if deal_starts else play_result.deal_number

    return {
        play_result.play_number: find_compared_deal_number(play_result)
        for play_result in play_results
    }


def _is_result_awaited(play_result: PlayResult, remedies_by_play: RemediesByPlay) -> bool:
    return play_result.outcome is PlayOutcome.NOT_YET_PLAYED and not _has_ruled_score(
        play_result, remedies_by_play
    )


def _can_limit_revoke_penalty(
    play_result: PlayResult, remedies_by_play: RemediesByPlay
) -> bool:
    """Return whether the score of this play may limit the penalty of a revoke elsewhere."""
    return play_result.outcome is PlayOutcome.PLAYED and not _has_ruled_score(
        play_result, remedies_by_play
    )


def _has_ruled_score(play_result: PlayResult, remedies_by_play: RemediesByPlay) -> bool:
    return any(
        isinstance(remedy, AverageRuling | AdjustedScore)
        for remedy in remedies_by_play.get(play_result.play_number, ())
    )


def _build_plain_line(play_result: PlayResult, deal_number: int) -> ResultLine | None:
    if play_result.ns_tricks is None:
        return None
    result_line = build_plain_line(
        deal_number,
        play_result.ns_entries,
        play_result.ew_entries,
        play_result.ns_tricks,
        play_result.scoring_unit.both_sides_total,
    )
    return _copy_play_details(
        result_line._replace(points_won=play_result.points_won), play_result
    )


def _copy_play_details(result_line: ResultLine, play_result: PlayResult) -> ResultLine:
    return result_line._replace(
        is_overplay=play_result.is_overplay,
        match_number=play_result.match_number,
        both_sides_total=play_result.scoring_unit.both_sides_total,
    )


def _apply_adjusted_score(
    play_result: PlayResult,
    deal_number: int,
    adjusted_score: AdjustedScore,
    revoke_marks: tuple[str, str],
) -> RuledPlayResult:
    adjusted_line = ResultLine(
        deal_number,
        play_result.ns_entries,
        play_result.ew_entries,
        adjusted_score.ns_tricks,
        adjusted_score.ew_tricks,
        valid_tricks=None,
    )
    result_line = _copy_play_details(adjusted_line, play_result)
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
        result_line,
        revoke_marks=revoke_marks,
        step=Step(adjusted_score.ns_tricks, sentence, placeholder_values),
    )


def _apply_revoke_outcome(
    play_result: PlayResult,
    deal_number: int,
    revoke_outcome: RevokeOutcome,
    are_results_awaited: bool,
) -> RuledPlayResult:
    result_line = build_plain_line(
        deal_number, play_result.ns_entries, play_result.ew_entries, revoke_outcome.ns_tricks
    )._replace(valid_tricks=play_result.ns_tricks)
    return RuledPlayResult(
        play_result,
        _copy_play_details(result_line, play_result),
        is_provisional=are_results_awaited or revoke_outcome.has_unknown_limits,
        is_confirmation_needed=revoke_outcome.is_confirmation_needed,
        revoke_marks=revoke_outcome.revoke_marks,
        step=revoke_outcome.step,
    )
