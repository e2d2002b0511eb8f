"""Explanations of an entry's numbers, computed from the same values as its score."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods import METHODS, Method, list_entries
from scoring.methods.explanations import build_field_explainer, explain_placing
from scoring.methods.method import Explainer
from scoring.methods.opponents import count_most_matches, list_opponents
from scoring.methods.ranking import Placing
from scoring.methods.steps import Figure, Step, choose_plural_number
from scoring.methods.tie_breaks import map_tie_break_titles
from scoring.methods.tricks import round_to_nearest_trick
from scoring.standings_engine.result_lines import ComparisonPool
from scoring.standings_engine.scores import ZERO, ScoredEvent, have_equal_board_counts

PoolKey = tuple[int, str]
InField = Callable[[int], Step | None]


class ScoreExplainers:
    """An event's scores with their explainers, each built once and used for all entries."""

    def __init__(self, scored: ScoredEvent) -> None:
        """Collect the pools in which each entry played, by session."""
        self.scored_event = scored
        self._pools: dict[int, list[tuple[PoolKey, ComparisonPool]]] = defaultdict(list)
        for key, pool in sorted(scored.tally.pools.items()):
            for entry in list_entries(pool.lines):
                self._pools[entry].append((key, pool))
        self._explainers: dict[tuple[str, PoolKey], Explainer] = {}
        self._field_explainers: dict[tuple[PoolKey, int, str], InField] = {}

    def list_pools(self, entry: int) -> list[tuple[PoolKey, ComparisonPool]]:
        """Return the pools in which an entry played, in the order of the sessions."""
        return self._pools.get(entry, [])

    def explain_in_pool(self, method: Method, key: PoolKey, entry: int) -> Step:
        """Explain the score of an entry in a pool."""
        cache_key = method.name, key
        if cache_key not in self._explainers:
            self._explainers[cache_key] = method.explainer(
                self.scored_event.tally.pools[key].lines
            )
        return self._explainers[cache_key](entry)

    def explain_in_field(
        self, key: PoolKey, entry: int, field: Sequence[int], name: str
    ) -> Step | None:
        """Explain a plus or minus in a pool as the total less the field's average."""
        cache_key = key, field[0], name
        if cache_key not in self._field_explainers:
            self._field_explainers[cache_key] = build_field_explainer(
                self.scored_event.tally.pools[key].lines,
                frozenset(field),
                name,
                to_whole_tricks=self.scored_event.method.whole_averages,
            )
        return self._field_explainers[cache_key](entry)


def explain_score(
    explainers: ScoreExplainers, entry: int, *, reasons: Sequence[str] = ()
) -> Step:
    """Explain an entry's score: its deals or matches, its penalties and its carry-over.

    `reasons` are the reasons for its penalties, which are shown in the text.
    """
    steps = [
        *_explain_current_session(explainers, entry),
        *_explain_penalties(explainers.scored_event, entry, reasons),
    ]
    steps += [
        *_explain_earlier_sessions(explainers, entry),
        *_explain_qualifying_carry_over(explainers.scored_event, entry),
    ]
    if not steps:
        return Step(ZERO, _("Nothing scored yet."))
    if len(steps) == 1:
        return steps[0]
    amount = sum((step.amount for step in steps), ZERO)
    sentence = _("The score is {score}.")
    if explainers.scored_event.method.is_in_points and explainers.scored_event.method.signed:
        sentence = _("The score is {score:signed}.")
    return Step(amount, sentence, {"score": amount}, tuple(steps))


def explain_against_field_average(
    explainers: ScoreExplainers, entry: int, field: Sequence[int], side: str, contest: str
) -> Step | None:
    """Explain a plus or minus as the total less the field's average, as clubs compute it.

    Returns None where this explanation is invalid: for another method, for several sessions,
    with penalties, or in a field whose entries did not play the same deals.
    """
    pools = explainers.list_pools(entry)
    is_plain = (
        explainers.scored_event.method.name == "plus_minus"
        and not explainers.scored_event.penalties.get(entry)
    )
    if not is_plain or len(pools) != 1:
        return None
    return explainers.explain_in_field(pools[0][0], entry, field, _name_field(side, contest))


def explain_percentage(scored: ScoredEvent, entry: int) -> Step | None:
    """Explain a percentage as points won out of the points available; None without
    percentages.
    """
    if not scored.is_ranked_by_percentage:
        return None
    figures: dict[str, Figure] = {
        "share": scored.ranking_values.get(entry, ZERO),
        "won": scored.scores.get(entry, ZERO),
        "available": scored.available_points.get(entry, ZERO),
        "unit": scored.method.unit,
    }
    sentence = _("{share:percent}: {won} of {available} possible {unit}.")
    return Step(scored.ranking_values.get(entry, ZERO), sentence, figures)


def explain_rank(scored: ScoredEvent, placings: Sequence[Placing], entry: int) -> Step:
    """Explain an entry's rank, and the tie-break that decided it."""
    return explain_placing(
        placings, entry, map_tie_break_titles(in_points=scored.method.is_in_points)
    )


def explain_ranking_value(scored: ScoredEvent, entry: int, field: Sequence[int]) -> Step | None:
    """Explain the number by which a field is ranked, if it is not the score; else None."""
    if scored.is_ranked_by_corrected:
        total = scored.corrected_totals[entry]
        sentence = _("Ranked by corrected total: {corrected}.")
        if scored.method.signed:
            sentence = _("Ranked by corrected total: {corrected:signed}.")
        return Step(total, sentence, {"corrected": total})
    if scored.is_ranked_by_percentage or have_equal_board_counts(scored.boards, field):
        return None
    if not scored.scores_per_board:
        sentence = _("Not everyone played the same number of boards, so total score decides.")
        return Step(ZERO, sentence)
    figures: dict[str, Figure] = {
        "score": scored.scores.get(entry, ZERO),
        "boards": scored.weighted_boards.get(entry, ZERO),
        "worth": scored.scores_per_board.get(entry, ZERO),
    }
    sentence = _(
        "Not everyone played the same number of boards, so score per "
        "board decides: {score} on {boards} boards, {worth} per "
        "board."
    )
    if scored.method.signed:
        sentence = _(
            "Not everyone played the same number of boards, so score per "
            "board decides: {score:signed} on {boards} boards, "
            "{worth:signed} per board."
        )
    if scored.weighted_boards.get(entry) != scored.boards.get(entry):
        figures["part"] = scored.carry_over_share
        sentence += " " + _("Boards of earlier sessions count {part} each.")
    return Step(scored.scores_per_board.get(entry, ZERO), sentence, figures)


def explain_corrected_total(scored: ScoredEvent, entry: int) -> Step | None:
    """Explain a corrected total as the entry's own total and a part of each opponent's
    total.
    """
    if entry not in scored.corrected_totals:
        return None
    own_score, averages = scored.scores.get(entry, ZERO), scored.average_totals
    opponents = list_opponents(scored.tally.lines)
    rounds = count_most_matches(opponents)
    own_opponents = opponents.get(entry, [])
    steps = [Step(own_score, _("Own total: {score:signed}."), {"score": own_score})]
    corrected_sentence = _(
        "{other:entry}: {above:signed} above the average, divided by the rounds."
    )
    half_match_sentence = _(
        "{other:entry}: half of {above:signed} above the average, divided by the rounds."
    )
    for other, part in own_opponents:
        gap_above_average = scored.scores.get(other, ZERO) - averages.get(other, ZERO)
        sentence = corrected_sentence if part == 1 else half_match_sentence
        steps.append(
            Step(
                gap_above_average * part / rounds,
                sentence,
                {"other": other, "above": gap_above_average},
            )
        )
    matches_played = sum((opponent.part for opponent in own_opponents), ZERO)
    missing = rounds - matches_played
    if missing and own_opponents:
        mean_per_match = (own_score - averages.get(entry, ZERO)) / matches_played
        sentence = _(
            "Rounds without an opponent: {missing}. The own mean of {mean:signed} is used."
        )
        figures: dict[str, Figure] = {"missing": missing, "mean": mean_per_match}
        steps.append(Step(missing * mean_per_match / rounds, sentence, figures))
    amount = scored.corrected_totals[entry]
    figures = {"corrected": amount, "rounds": rounds}
    corrected_sentence = _(
        "{corrected:signed} is the own total plus the mean of the "
        "opponents' totals over {rounds} rounds."
    )
    return Step(amount, corrected_sentence, figures, tuple(steps))


def explain_total(explainers: ScoreExplainers, entry: int) -> Step:
    """Explain an entry's total of tricks or points, deal by deal."""
    in_points = explainers.scored_event.method.is_in_points
    method = METHODS["points" if in_points else "tricks"]
    steps = [
        part
        for key, _ in explainers.list_pools(entry)
        for part in explainers.explain_in_pool(method, key, entry).parts
    ]
    amount = sum((step.amount for step in steps), ZERO)
    if in_points:
        sentence = _("{total:signed} points in all.")
        return Step(amount, sentence, {"total": amount}, tuple(steps))
    sentence = ngettext(
        "{total} trick in all.", "{total} tricks in all.", choose_plural_number(amount)
    )
    return Step(amount, sentence, {"total": amount}, tuple(steps))


def explain_field_average(
    scored: ScoredEvent, field: Sequence[int], side: str, contest: str
) -> Step:
    """Explain a field's average: the sum of its totals over the number of its entries."""
    totals = sorted((scored.tricks[entry] for entry in field), reverse=True)
    average = sum(totals, ZERO) / len(totals)
    figures: dict[str, Figure] = {
        "average": average,
        "sum": sum(totals, ZERO),
        "count": len(totals),
        "name": _name_field(side, contest),
        "totals": tuple(totals),
    }
    sentence = _("{average} is the average of {count} {name}: {totals}, {sum} in all.")
    if scored.method.is_in_points:
        sentence = _(
            "{average:signed} is the average of {count} {name}: {totals:signed}, {sum:signed} "
            "in all."
        )
    if scored.method.whole_averages and round_to_nearest_trick(average) != average:
        figures["whole"] = round_to_nearest_trick(average)
        sentence += " " + _("Rounded: {whole}.")
    return Step(average, sentence, figures)


def _name_field(side: str, contest: str) -> str:
    """Return the name of a field of entries: N-S pairs, teams."""
    if contest == "teams":
        return _("teams")
    if contest == "individual":
        return _("players")
    return {"NS": _("N-S pairs"), "EW": _("E-W pairs")}.get(side) or _("pairs")


def _explain_current_session(explainers: ScoreExplainers, entry: int) -> list[Step]:
    last = explainers.scored_event.last_session
    scored_pools = [
        explainers.explain_in_pool(explainers.scored_event.method, key, entry)
        for key, _ in explainers.list_pools(entry)
        if key[0] == last
    ]
    return scored_pools + _explain_sit_outs(explainers.scored_event, last, entry)


def _explain_sit_outs(scored: ScoredEvent, session: int, entry: int) -> list[Step]:
    """Explain the score of an entry's sit-outs in drawn rounds."""
    missed_count = scored.tally.count_missed_rounds(session).get(entry, ZERO)
    if not (missed_count and scored.method.sits_out):
        return []
    sentence = ngettext(
        "{rounds} round without a match counts as average: {worth}.",
        "{rounds} rounds without a match count as average: {worth}.",
        choose_plural_number(missed_count),
    )
    sit_out_score = missed_count * scored.method.sits_out
    return [Step(sit_out_score, sentence, {"rounds": missed_count, "worth": sit_out_score})]


def _explain_penalties(scored: ScoredEvent, entry: int, reasons: Sequence[str]) -> list[Step]:
    loss = scored.penalties.get(entry, ZERO)
    if not loss:
        return []
    if not reasons:
        return [Step(-loss, _("Penalties: minus {loss}."), {"loss": loss})]
    sentence = _("Penalties: minus {loss} ({why}).")
    return [Step(-loss, sentence, {"loss": loss, "why": "; ".join(reasons)})]


def _explain_earlier_sessions(explainers: ScoreExplainers, entry: int) -> list[Step]:
    """Explain the score of each earlier session, and the part of it that is carried over."""
    tally = explainers.scored_event.tally
    numbers = {key[0] for key, _ in explainers.list_pools(entry)}
    numbers |= {
        number for number in tally.missed_rounds if entry in tally.count_missed_rounds(number)
    }
    numbers |= {
        number for number, losses in tally.penalties_by_session.items() if losses.get(entry)
    }
    return [
        _explain_earlier_session(explainers, each, entry)
        for each in sorted(numbers)
        if each != explainers.scored_event.last_session
    ]


def _explain_qualifying_carry_over(scored: ScoredEvent, entry: int) -> list[Step]:
    """Explain the carry-over from the qualifying into a final."""
    if entry not in scored.qualifying_carry_over or entry not in scored.seats:
        return []
    carry_over = scored.qualifying_carry_over[entry]
    figures: dict[str, Figure] = {
        "amount": carry_over.amount,
        "tricks": carry_over.qualifying_tricks,
        "played": carry_over.qualifying_boards,
        "boards": carry_over.final_boards,
        "share": carry_over.rule.share,
    }
    sentence = _(
        "Carried forward: {amount:signed}. That is {share:percent} "
        "of {tricks:signed} on {played} qualifying boards, for the "
        "{boards} boards of the final."
    )
    if carry_over.rule.whole:
        sentence = _("Carried forward: {amount:signed}, the whole qualifying score.")
    elif carry_over.rule.cap is not None:
        figures["cap"] = carry_over.rule.cap
        sentence += " " + _("At most {cap} tricks per board are carried forward.")
    return [Step(carry_over.amount, sentence, figures)]


def _explain_earlier_session(explainers: ScoreExplainers, number: int, entry: int) -> Step:
    scored_event = explainers.scored_event
    keys = [key for key, _ in explainers.list_pools(entry) if key[0] == number]
    parts = [
        *(explainers.explain_in_pool(scored_event.method, key, entry) for key in keys),
        *_explain_sit_outs(scored_event, number, entry),
    ]
    loss = scored_event.tally.penalties_by_session.get(number, {}).get(entry, Fraction())
    net = sum((step.amount for step in parts), -loss)
    carried_score = net * scored_event.carry_over_share
    if loss:
        parts.append(Step(-loss, _("Penalties: minus {loss}."), {"loss": loss}))
    if carried_score != net:
        sentence = _("Only {part} of it is carried forward.")
        parts.append(
            Step(carried_score - net, sentence, {"part": scored_event.carry_over_share})
        )
    figures: dict[str, Figure] = {"kept": carried_score, "session": number}
    sentence = _("{kept:signed} carried forward from session {session}.")
    return Step(carried_score, sentence, figures, tuple(parts))
