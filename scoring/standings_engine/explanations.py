"""Explanations of an entry's numbers, computed from the same values as its score."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import METHODS_BY_NAME, Method, list_entries
from scoring.methods.explanations import build_field_average_explainer, explain_placing
from scoring.methods.method import Explainer
from scoring.methods.opponents import find_max_match_count, list_opponents
from scoring.methods.ranking import Placing
from scoring.methods.steps import PlaceholderValue, Step, choose_plural_number
from scoring.methods.tie_breaks import map_tie_break_titles
from scoring.methods.tricks import round_to_nearest_trick
from scoring.standings_engine.result_lines import ComparisonPool
from scoring.standings_engine.scores import ZERO, ScoredEvent, has_equal_board_counts

PoolKey = tuple[int, str]
FieldExplainer = Callable[[int], Step | None]


class ScoreExplainers:
    """The functions that explain an event's scores, each created once for all entries."""

    def __init__(self, scored_event: ScoredEvent) -> None:
        """Collect the pools in which each entry played, by session."""
        self.scored_event = scored_event
        self._pools_by_entry: dict[int, list[tuple[PoolKey, ComparisonPool]]] = defaultdict(
            list
        )
        for pool_key, pool in sorted(scored_event.tally.pools_by_key.items()):
            for entry_number in list_entries(pool.lines):
                self._pools_by_entry[entry_number].append((pool_key, pool))
        self._explainers_by_pool: dict[tuple[str, PoolKey], Explainer] = {}
        self._field_explainers_by_key: dict[tuple[PoolKey, int, str], FieldExplainer] = {}

    def list_pools(self, entry_number: int) -> list[tuple[PoolKey, ComparisonPool]]:
        """Return the pools in which an entry played, in the order of the sessions."""
        return self._pools_by_entry.get(entry_number, [])

    def explain_pool_score(self, method: Method, pool_key: PoolKey, entry_number: int) -> Step:
        """Explain the score of an entry in a pool."""
        cache_key = method.name, pool_key
        if cache_key not in self._explainers_by_pool:
            self._explainers_by_pool[cache_key] = method.build_explainer(
                self.scored_event.tally.pools_by_key[pool_key].lines
            )
        return self._explainers_by_pool[cache_key](entry_number)

    def explain_field_score(
        self,
        pool_key: PoolKey,
        entry_number: int,
        field_entry_numbers: Sequence[int],
        field_title: str,
    ) -> Step | None:
        """Explain a plus or minus in a pool as the total less the field's average."""
        cache_key = pool_key, field_entry_numbers[0], field_title
        if cache_key not in self._field_explainers_by_key:
            self._field_explainers_by_key[cache_key] = build_field_average_explainer(
                self.scored_event.tally.pools_by_key[pool_key].lines,
                frozenset(field_entry_numbers),
                field_title,
                has_whole_averages=self.scored_event.method.has_whole_averages,
            )
        return self._field_explainers_by_key[cache_key](entry_number)


def explain_score(
    explainers: ScoreExplainers, entry_number: int, *, penalty_reasons: Sequence[str] = ()
) -> Step:
    """Explain an entry's score: its deals or matches, its penalties and its carry-over.

    `penalty_reasons` are the reasons for the entry's penalties, which the explanation shows.
    """
    steps = [
        *_explain_current_session(explainers, entry_number),
        *_explain_penalties(explainers.scored_event, entry_number, penalty_reasons),
    ]
    steps += [
        *_explain_earlier_sessions(explainers, entry_number),
        *_explain_qualifying_carry_over(explainers.scored_event, entry_number),
    ]
    if not steps:
        return Step(ZERO, _("Nothing scored yet."))
    if len(steps) == 1:
        return steps[0]
    amount = sum((step.amount for step in steps), ZERO)
    sentence = _("The score is {score}.")
    if explainers.scored_event.method.is_in_points and explainers.scored_event.method.is_signed:
        sentence = _("The score is {score:signed}.")
    return Step(amount, sentence, {"score": amount}, tuple(steps))


def explain_score_against_field_average(
    explainers: ScoreExplainers,
    entry_number: int,
    field_entry_numbers: Sequence[int],
    field_side: str,
    contest: str,
) -> Step | None:
    """Explain a plus or minus as the total less the field's average, as clubs compute it.

    Returns None if this explanation is invalid: for another method, several sessions,
    penalties, or a field whose entries did not play the same deals.
    """
    pools = explainers.list_pools(entry_number)
    is_unpenalised_plus_minus = (
        explainers.scored_event.method.name == "plus_minus"
        and not explainers.scored_event.penalties_by_entry.get(entry_number)
    )
    if not is_unpenalised_plus_minus or len(pools) != 1:
        return None
    return explainers.explain_field_score(
        pools[0][0],
        entry_number,
        field_entry_numbers,
        _get_field_entries_name(field_side, contest),
    )


def explain_percentage(scored_event: ScoredEvent, entry_number: int) -> Step | None:
    """Explain a percentage as points won out of the points available; None without
    percentages.
    """
    if not scored_event.is_ranked_by_percentage:
        return None
    placeholder_values: dict[str, PlaceholderValue] = {
        "share": scored_event.ranking_value_by_entry.get(entry_number, ZERO),
        "won": scored_event.scores_by_entry.get(entry_number, ZERO),
        "available": scored_event.available_points_by_entry.get(entry_number, ZERO),
        "unit": scored_event.method.unit,
    }
    sentence = _("{share:percent}: {won} of {available} possible {unit}.")
    return Step(
        scored_event.ranking_value_by_entry.get(entry_number, ZERO),
        sentence,
        placeholder_values,
    )


def explain_rank(
    scored_event: ScoredEvent, placings: Sequence[Placing], entry_number: int
) -> Step:
    """Explain an entry's rank, and the tie-break that decided it."""
    return explain_placing(
        placings,
        entry_number,
        map_tie_break_titles(is_in_points=scored_event.method.is_in_points),
    )


def explain_ranking_value(
    scored_event: ScoredEvent, entry_number: int, field_entry_numbers: Sequence[int]
) -> Step | None:
    """Explain the number by which a field is ranked; return None if it is the score."""
    if scored_event.is_ranked_by_corrected_total:
        total = scored_event.corrected_totals_by_entry[entry_number]
        sentence = _("Ranked by corrected total: {corrected}.")
        if scored_event.method.is_signed:
            sentence = _("Ranked by corrected total: {corrected:signed}.")
        return Step(total, sentence, {"corrected": total})
    if scored_event.is_ranked_by_percentage or has_equal_board_counts(
        scored_event.board_counts_by_entry, field_entry_numbers
    ):
        return None
    if not scored_event.scores_per_board_by_entry:
        sentence = _("Not everyone played the same number of boards, so total score decides.")
        return Step(ZERO, sentence)
    placeholder_values: dict[str, PlaceholderValue] = {
        "score": scored_event.scores_by_entry.get(entry_number, ZERO),
        "boards": scored_event.weighted_board_counts_by_entry.get(entry_number, ZERO),
        "worth": scored_event.scores_per_board_by_entry.get(entry_number, ZERO),
    }
    sentence = _(
        "Not everyone played the same number of boards, so score per "
        "board decides: {score} on {boards} boards, {worth} per "
        "board."
    )
    if scored_event.method.is_signed:
        sentence = _(
            "Not everyone played the same number of boards, so score per "
            "board decides: {score:signed} on {boards} boards, "
            "{worth:signed} per board."
        )
    if scored_event.weighted_board_counts_by_entry.get(
        entry_number
    ) != scored_event.board_counts_by_entry.get(entry_number):
        placeholder_values["part"] = scored_event.carry_over_share
        sentence += " " + _("Boards of earlier sessions count {part} each.")
    return Step(
        scored_event.scores_per_board_by_entry.get(entry_number, ZERO),
        sentence,
        placeholder_values,
    )


def explain_corrected_total(scored_event: ScoredEvent, entry_number: int) -> Step | None:
    """Explain a corrected total as the entry's own total and a part of each opponent's
    total.
    """
    if entry_number not in scored_event.corrected_totals_by_entry:
        return None
    own_score, average_totals_by_entry = (
        scored_event.scores_by_entry.get(entry_number, ZERO),
        scored_event.average_totals_by_entry,
    )
    opponents_by_entry = list_opponents(scored_event.tally.lines)
    max_match_count = find_max_match_count(opponents_by_entry)
    own_opponents = opponents_by_entry.get(entry_number, [])
    steps = [Step(own_score, _("Own total: {score:signed}."), {"score": own_score})]
    corrected_sentence = _(
        "{other:entry}: {above:signed} above the average, divided by the rounds."
    )
    half_match_sentence = _(
        "{other:entry}: half of {above:signed} above the average, divided by the rounds."
    )
    for opponent_entry_number, match_share in own_opponents:
        gap_above_average = scored_event.scores_by_entry.get(
            opponent_entry_number, ZERO
        ) - average_totals_by_entry.get(opponent_entry_number, ZERO)
        sentence = corrected_sentence if match_share == 1 else half_match_sentence
        steps.append(
            Step(
                gap_above_average * match_share / max_match_count,
                sentence,
                {"other": opponent_entry_number, "above": gap_above_average},
            )
        )
    played_match_count = sum((opponent.match_share for opponent in own_opponents), ZERO)
    missing_match_count = max_match_count - played_match_count
    if missing_match_count and own_opponents:
        mean_per_match = (
            own_score - average_totals_by_entry.get(entry_number, ZERO)
        ) / played_match_count
        sentence = _(
            "Rounds without an opponent: {missing}. Their own mean of {mean:signed} is used."
        )
        placeholder_values: dict[str, PlaceholderValue] = {
            "missing": missing_match_count,
            "mean": mean_per_match,
        }
        steps.append(
            Step(
                missing_match_count * mean_per_match / max_match_count,
                sentence,
                placeholder_values,
            )
        )
    amount = scored_event.corrected_totals_by_entry[entry_number]
    placeholder_values = {"corrected": amount, "rounds": max_match_count}
    corrected_sentence = _(
        "{corrected:signed} is their own total plus the mean of the opponents’ totals over "
        "{rounds} rounds."
    )
    return Step(amount, corrected_sentence, placeholder_values, tuple(steps))


def explain_total(explainers: ScoreExplainers, entry_number: int) -> Step:
    """Explain an entry's total of tricks or points, deal by deal."""
    is_in_points = explainers.scored_event.method.is_in_points
    method = METHODS_BY_NAME["points" if is_in_points else "tricks"]
    steps = [
        deal_step
        for pool_key, _ in explainers.list_pools(entry_number)
        for deal_step in explainers.explain_pool_score(method, pool_key, entry_number).parts
    ]
    amount = sum((step.amount for step in steps), ZERO)
    if is_in_points:
        sentence = _("{total:signed} points in all.")
        return Step(amount, sentence, {"total": amount}, tuple(steps))
    sentence = ngettext(
        "{total} trick in all.", "{total} tricks in all.", choose_plural_number(amount)
    )
    return Step(amount, sentence, {"total": amount}, tuple(steps))


def explain_field_average(
    scored_event: ScoredEvent, field_entry_numbers: Sequence[int], field_side: str, contest: str
) -> Step:
    """Explain a field's average: the mean of the totals of its entries."""
    totals = sorted(
        (
            scored_event.trick_totals_by_entry[entry_number]
            for entry_number in field_entry_numbers
        ),
        reverse=True,
    )
    average = sum(totals, ZERO) / len(totals)
    placeholder_values: dict[str, PlaceholderValue] = {
        "average": average,
        "sum": sum(totals, ZERO),
        "count": len(totals),
        "name": _get_field_entries_name(field_side, contest),
        "totals": tuple(totals),
    }
    sentence = _("{average} is the average of {count} {name}: {totals}, {sum} in all.")
    if scored_event.method.is_in_points:
        sentence = _(
            "{average:signed} is the average of {count} {name}: {totals:signed}, {sum:signed} "
            "in all."
        )
    if scored_event.method.has_whole_averages and round_to_nearest_trick(average) != average:
        placeholder_values["whole"] = round_to_nearest_trick(average)
        sentence += " " + _("Rounded: {whole}.")
    return Step(average, sentence, placeholder_values)


def _get_field_entries_name(field_side: str, contest: str) -> str:
    """Return the plural name of a field's entries, e.g. "N-S pairs" or "teams"."""
    if contest == "teams":
        return _("teams")
    if contest == "individual":
        return _("players")
    return {"NS": _("N-S pairs"), "EW": _("E-W pairs")}.get(field_side) or _("pairs")


def _explain_current_session(explainers: ScoreExplainers, entry_number: int) -> list[Step]:
    last_session_number = explainers.scored_event.last_session_number
    pool_steps = [
        explainers.explain_pool_score(explainers.scored_event.method, pool_key, entry_number)
        for pool_key, _ in explainers.list_pools(entry_number)
        if pool_key[0] == last_session_number
    ]
    return pool_steps + _explain_sit_outs(
        explainers.scored_event, last_session_number, entry_number
    )


def _explain_sit_outs(
    scored_event: ScoredEvent, session_number: int, entry_number: int
) -> list[Step]:
    """Explain the score of an entry's sit-outs in drawn rounds."""
    missed_count = scored_event.tally.count_missed_rounds(session_number).get(
        entry_number, ZERO
    )
    if not (missed_count and scored_event.method.sit_out_score):
        return []
    sentence = ngettext(
        "{rounds} round without a match counts as average: {worth}.",
        "{rounds} rounds without a match count as average: {worth}.",
        choose_plural_number(missed_count),
    )
    sit_out_score = missed_count * scored_event.method.sit_out_score
    return [Step(sit_out_score, sentence, {"rounds": missed_count, "worth": sit_out_score})]


def _explain_penalties(
    scored_event: ScoredEvent, entry_number: int, reasons: Sequence[str]
) -> list[Step]:
    penalty = scored_event.penalties_by_entry.get(entry_number, ZERO)
    if not penalty:
        return []
    if not reasons:
        return [Step(-penalty, _("Penalties: minus {loss}."), {"loss": penalty})]
    sentence = _("Penalties: minus {loss} ({why}).")
    return [Step(-penalty, sentence, {"loss": penalty, "why": "; ".join(reasons)})]


def _explain_earlier_sessions(explainers: ScoreExplainers, entry_number: int) -> list[Step]:
    """Explain the score of each earlier session, and its part that is carried over."""
    tally = explainers.scored_event.tally
    session_numbers = {pool_key[0] for pool_key, _ in explainers.list_pools(entry_number)}
    session_numbers |= {
        session_number
        for session_number in tally.missed_rounds_by_session
        if entry_number in tally.count_missed_rounds(session_number)
    }
    session_numbers |= {
        session_number
        for session_number, penalty_by_entry in tally.penalties_by_session.items()
        if penalty_by_entry.get(entry_number)
    }
    return [
        _explain_earlier_session(explainers, earlier_session_number, entry_number)
        for earlier_session_number in sorted(session_numbers)
        if earlier_session_number != explainers.scored_event.last_session_number
    ]


def _explain_qualifying_carry_over(scored_event: ScoredEvent, entry_number: int) -> list[Step]:
    """Explain the carry-over from the qualifying into a final."""
    if (
        entry_number not in scored_event.carry_overs_by_entry
        or entry_number not in scored_event.seats_by_entry
    ):
        return []
    carry_over = scored_event.carry_overs_by_entry[entry_number]
    placeholder_values: dict[str, PlaceholderValue] = {
        "amount": carry_over.carried_tricks,
        "tricks": carry_over.qualifying_tricks,
        "played": carry_over.qualifying_board_count,
        "boards": carry_over.final_board_count,
        "share": carry_over.carry_over_rule.share,
    }
    sentence = _(
        "Carried forward: {amount:signed}. That is {share:percent} "
        "of {tricks:signed} on {played} qualifying boards, for the "
        "{boards} boards of the final."
    )
    if carry_over.carry_over_rule.is_unscaled:
        sentence = _("Carried forward: {amount:signed}, the whole qualifying score.")
    elif carry_over.carry_over_rule.max_tricks_per_board is not None:
        placeholder_values["cap"] = carry_over.carry_over_rule.max_tricks_per_board
        sentence += " " + _("At most {cap} tricks per board are carried forward.")
    return [Step(carry_over.carried_tricks, sentence, placeholder_values)]


def _explain_earlier_session(
    explainers: ScoreExplainers, session_number: int, entry_number: int
) -> Step:
    scored_event = explainers.scored_event
    pool_keys = [
        pool_key
        for pool_key, _ in explainers.list_pools(entry_number)
        if pool_key[0] == session_number
    ]
    part_steps = [
        *(
            explainers.explain_pool_score(scored_event.method, pool_key, entry_number)
            for pool_key in pool_keys
        ),
        *_explain_sit_outs(scored_event, session_number, entry_number),
    ]
    penalty = scored_event.tally.penalties_by_session.get(session_number, {}).get(
        entry_number, Fraction()
    )
    net_score = sum((step.amount for step in part_steps), -penalty)
    carried_score = net_score * scored_event.carry_over_share
    if penalty:
        part_steps.append(Step(-penalty, _("Penalties: minus {loss}."), {"loss": penalty}))
    if carried_score != net_score:
        sentence = _("Only {part} of it is carried forward.")
        part_steps.append(
            Step(carried_score - net_score, sentence, {"part": scored_event.carry_over_share})
        )
    placeholder_values: dict[str, PlaceholderValue] = {
        "kept": carried_score,
        "session": session_number,
    }
    sentence = _("{kept:signed} carried forward from session {session}.")
    return Step(carried_score, sentence, placeholder_values, tuple(part_steps))
