"""The texts for users that explain rules, values and totals of ladders and handicaps."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seasons.ladders.rules import rule
from seasons.ladders.rules.evenings import DRIVE, RUBBERS
from seasons.ladders.rules.handicaps import (
    HANDICAP_FROM_DIRECTOR,
    HANDICAP_FROM_GRADE,
    HANDICAP_TOO_FEW_RESULTS,
    NEWCOMER_LARGEST,
    SOURCE_GRADES,
    DatedHandicap,
    HandicapLine,
    HandicapTerms,
    compute_entry_handicap,
)
from seasons.ladders.rules.rule import MEASURE_PERCENT, LadderRule
from seasons.ladders.rules.table import (
    EXCLUDED_FEW_BOARDS,
    EXCLUDED_NO_SCORE,
    EXCLUDED_OTHER_GAME,
    EveningValue,
    FieldPlace,
    LadderRow,
    LadderTable,
    count_boards,
)
from server import formatting
from server.formatting import MINUS


def describe_rule(ladder_rule: LadderRule) -> str:
    """Return the description of a ladder's rule that is shown below its table."""
    rule_texts = [
        _describe_measure(ladder_rule),
        _describe_counted_evenings(ladder_rule),
        _describe_minimum(ladder_rule),
    ]
    if ladder_rule.least_part:
        message = _("at least %(part)s of an evening’s boards")
        rule_texts.append(message % {"part": ladder_rule.least_part})
    if ladder_rule.is_for_members_only:
        rule_texts.append(
            _("members only, places recalculated without visitors")
            if ladder_rule.should_close_ranks
            else _("members only, visitors keep their places and points")
        )
    elif ladder_rule.should_close_ranks:
        rule_texts.append(_("places recalculated without visitors"))
    if ladder_rule.season_handicap_unit:
        rule_texts.append(_("with the season’s handicap"))
    elif ladder_rule.handicaps_by_person:
        rule_texts.append(_("with handicap"))
    if ladder_rule.ties:
        message = _("tie-break: %(ties)s")
        rule_texts.append(
            message
            % {
                "ties": _join_tie_breaks(
                    [format_tie_break(tie_break) for tie_break in ladder_rule.ties]
                )
            }
        )
    sentence = " · ".join(rule_text for rule_text in rule_texts if rule_text)
    return f"{sentence[:1].upper()}{sentence[1:]}"


def describe_games(table: LadderTable) -> str:
    """Return the warning for a ladder of points whose evenings are of several games.

    Return "" for another measure, or if all evenings are of the same game.
    """
    if table.rule.measure != rule.MEASURE_SCORE or not table.has_mixed_games:
        return ""
    if table.rule.should_mix_games:
        return _("Points of different games are added. One game can pay ten times another.")
    return _("Only evenings with the same game as the first one count.")


def format_measure(measure_code: str) -> str:
    """Return the name of a measure as shown in column headings and form choices."""
    return _MEASURE_NAMES[measure_code]()


def format_tie_break(tie_break: str) -> str:
    """Return the name of a tie-break as shown in form choices."""
    return _TIE_BREAK_NAMES[tie_break]()


def _describe_measure(ladder_rule: LadderRule) -> str:
    if ladder_rule.measure != rule.MEASURE_PLACE:
        return _MEASURE_DESCRIPTIONS[ladder_rule.measure]()
    points_text = "–".join(
        formatting.format_plain(rank_points) for rank_points in ladder_rule.points[:12]
    )
    if len(ladder_rule.points) > 12:
        points_text += " …"
    message = _("points by place in each direction: %(points)s")
    if ladder_rule.should_combine_fields:
        message = _("points by place in both directions together: %(points)s")
    return message % {"points": points_text}


def _describe_counted_evenings(ladder_rule: LadderRule) -> str:
    if ladder_rule.best_evening_count is not None:
        message = (
            ngettext(
                "best evening counts",
                "average of the best %(best)s evenings",
                ladder_rule.best_evening_count,
            )
            if ladder_rule.combine == rule.COMBINE_MEAN
            else ngettext(
                "best evening counts",
                "best %(best)s evenings count",
                ladder_rule.best_evening_count,
            )
        )
        return message % {"best": ladder_rule.best_evening_count}
    counting_text = (
        _("average of all evenings")
        if ladder_rule.combine == rule.COMBINE_MEAN
        else _("all evenings count")
    )
    if ladder_rule.drop_from is None or ladder_rule.drop_every is None:
        return counting_text
    message = ngettext(
        "%(whole)s, with one lowest score dropped for each evening over %(from)s",
        "%(whole)s, with one lowest score dropped for every %(every)s evenings over %(from)s",
        ladder_rule.drop_every,
    )
    return message % {
        "whole": counting_text,
        "from": ladder_rule.drop_from,
        "every": ladder_rule.drop_every,
    }


def _describe_minimum(ladder_rule: LadderRule) -> str:
    if ladder_rule.minimum < 2:
        return ""
    return _("at least %(minimum)s evenings") % {"minimum": ladder_rule.minimum}


def _join_tie_breaks(tie_break_texts: list[str]) -> str:
    return _(", then ").join(tie_break_texts)


_MEASURE_NAMES = {
    rule.MEASURE_PLACE: lambda: _("points by place"),
    rule.MEASURE_BEATEN: lambda: _("competitors beaten"),
    rule.MEASURE_PLUS: lambda: _("plus/minus"),
    rule.MEASURE_PLUS_PER_BOARD: lambda: _("plus/minus per board"),
    rule.MEASURE_PERCENT: lambda: _("per cent"),
    rule.MEASURE_TRICKS: lambda: _("tricks"),
    rule.MEASURE_SCORE: lambda: _("score"),
    rule.MEASURE_ATTENDANCE: lambda: _("attendance"),
}
_MEASURE_DESCRIPTIONS = {
    rule.MEASURE_BEATEN: lambda: _("2 points for each competitor beaten, 1 for each tie"),
    rule.MEASURE_PLUS: lambda: _("plus/minus for the evening"),
    rule.MEASURE_PLUS_PER_BOARD: lambda: _("plus/minus per board"),
    rule.MEASURE_PERCENT: lambda: _("matchpoint percentage"),
    rule.MEASURE_TRICKS: lambda: _("tricks taken"),
    rule.MEASURE_SCORE: lambda: _("evening score"),
    rule.MEASURE_ATTENDANCE: lambda: _("1 for each evening"),
}
_TIE_BREAK_NAMES = {
    rule.TIE_BREAK_BEST_EVENINGS: lambda: _("best single evenings"),
    rule.TIE_BREAK_EVENINGS_PLAYED: lambda: _("more evenings"),
    rule.TIE_BREAK_LATEST_EVENING: lambda: _("most recent evening"),
}


def explain_total(row: LadderRow, ladder_rule: LadderRule) -> str:
    """Return a text such as "7.5 + 5 = 12.5" that shows how a line's total was computed."""
    if not row.counted_values:
        return _("No evening counts yet.")
    sum_text = " + ".join(format_exact(value) for value in row.counted_values).replace(
        "+ −", "− "
    )
    if ladder_rule.combine == rule.COMBINE_SUM or len(row.counted_values) == 1:
        return f"{sum_text} = {format_exact(row.total)}"
    return f"({sum_text}) : {len(row.counted_values)} = {format_exact(row.total)}"


def explain_value(evening_value: EveningValue, ladder_rule: LadderRule) -> str:
    """Return the calculation of an evening's value, or why the evening does not count."""
    sentences = [
        _explain_score(evening_value, ladder_rule),
        _explain_exclusion(evening_value, ladder_rule),
    ]
    if ladder_rule.measure in evening_value.entry.rescored_measures:
        sentences.append(
            _(
                "Converted from the same tricks, because the evening was "
                "scored by another method."
            )
        )
    return " ".join(sentence for sentence in sentences if sentence)


def format_exact(number: Fraction | int) -> str:
    """Format a number exactly for readers, e.g. as 7, −7.5 or 22/3."""
    number = Fraction(number)
    magnitude = abs(number)
    number_text = str(magnitude)
    for decimals in (1, 2):
        if magnitude.denominator > 1 and (magnitude * 10**decimals).denominator == 1:
            scaled_number = int(magnitude * 10**decimals)
            number_text = formatting.localize_decimal(
                f"{scaled_number // 10**decimals}.{scaled_number % 10**decimals:0{decimals}d}"
            )
            break
    return f"{formatting.MINUS}{number_text}" if number < 0 else number_text


def _explain_score(evening_value: EveningValue, ladder_rule: LadderRule) -> str:
    if ladder_rule.measure == rule.MEASURE_ATTENDANCE:
        return _("Present: 1.")
    if evening_value.field_place is not None and evening_value.value is not None:
        place_text = _explain_place(evening_value.field_place, evening_value.value, ladder_rule)
        if not evening_value.handicap:
            return place_text
        return f"{place_text} {_format_handicap(evening_value.handicap, ladder_rule)}"
    if evening_value.base_score is None or evening_value.value is None:
        return ""
    return _explain_value_with_handicap(evening_value, ladder_rule)


def _explain_place(field_place: FieldPlace, value: Fraction, ladder_rule: LadderRule) -> str:
    rank_placeholders = {
        "rank": formatting.format_rank(field_place.rank, is_tied=field_place.tied_count > 1),
        "among": field_place.ranked_count,
    }
    place_text = _("Place %(rank)s/%(among)s") % rank_placeholders
    if ladder_rule.measure == rule.MEASURE_BEATEN:
        message = _("%(where)s: 2 × %(behind)s beaten + %(level)s tied = %(value)s.")
        return message % {
            "where": place_text,
            "behind": field_place.beaten_entry_count,
            "level": field_place.tied_count - 1,
            "value": format_exact(value),
        }
    if field_place.tied_count == 1:
        return _("%(where)s: %(value)s.") % {"where": place_text, "value": format_exact(value)}
    shared_points = _list_shared_points(field_place, ladder_rule.points)
    message = _("%(where)s: (%(shared)s) : %(level)s = %(value)s.")
    return message % {
        "where": place_text,
        "shared": " + ".join(format_exact(points) for points in shared_points),
        "level": field_place.tied_count,
        "value": format_exact(value),
    }


def _list_shared_points(
    field_place: FieldPlace, points_by_place: Sequence[Fraction]
) -> list[Fraction]:
    rank_indexes = range(field_place.rank - 1, field_place.rank - 1 + field_place.tied_count)
    return [
        points_by_place[index] if index < len(points_by_place) else Fraction()
        for index in rank_indexes
    ]


def _explain_value_with_handicap(evening_value: EveningValue, ladder_rule: LadderRule) -> str:
    assert evening_value.base_score is not None
    assert evening_value.value is not None
    entry = evening_value.entry
    board_text = format_exact(count_boards(entry, ladder_rule.measure))
    base_text = format_exact(evening_value.base_score)
    if ladder_rule.measure == rule.MEASURE_PLUS_PER_BOARD and entry.plus is not None:
        message = ngettext(
            "%(plus)s over %(boards)s board = %(base)s.",
            "%(plus)s over %(boards)s boards = %(base)s.",
            entry.board_count,
        )
        base_text = message % {
            "plus": format_exact(entry.plus),
            "boards": board_text,
            "base": base_text,
        }
    else:
        message = _format_board_count(evening_value)
        base_text = message % {"base": base_text, "boards": entry.board_count}
    if not evening_value.handicap:
        return base_text
    if ladder_rule.measure in (rule.MEASURE_PLUS, rule.MEASURE_TRICKS, rule.MEASURE_SCORE):
        message = _("With handicap: %(base)s + %(h)s × %(boards)s = %(value)s.")
    else:
        message = _("With handicap: %(base)s + %(h)s = %(value)s.")
    handicap_text = message % {
        "base": format_exact(evening_value.base_score),
        "h": format_exact(evening_value.handicap),
        "boards": board_text,
        "value": format_exact(evening_value.value),
    }
    return f"{base_text} {handicap_text}"


def _format_board_count(evening_value: EveningValue) -> str:
    board_count = evening_value.entry.board_count
    if evening_value.evening.contest == RUBBERS:
        return _("%(base)s (points won minus points lost).")
    if evening_value.evening.contest == DRIVE:
        return ngettext(
            "%(base)s in %(boards)s hand.", "%(base)s in %(boards)s hands.", board_count
        )
    return ngettext(
        "%(base)s over %(boards)s board.", "%(base)s over %(boards)s boards.", board_count
    )


def _format_handicap(handicap: Fraction, ladder_rule: LadderRule) -> str:
    if ladder_rule.season_handicap_unit == rule.MEASURE_PERCENT:
        return _("Placed with a handicap of %(h)s per cent.") % {"h": format_exact(handicap)}
    return _("Placed with a handicap of %(h)s per board.") % {"h": format_exact(handicap)}


def _explain_exclusion(evening_value: EveningValue, ladder_rule: LadderRule) -> str:
    if evening_value.exclusion_reason == EXCLUDED_FEW_BOARDS:
        message = _("Not counted: %(boards)s of %(most)s boards is less than %(part)s.")
        return message % {
            "boards": evening_value.entry.board_count,
            "most": evening_value.evening.max_board_count,
            "part": ladder_rule.least_part,
        }
    if evening_value.exclusion_reason == EXCLUDED_NO_SCORE:
        return _("Not counted: this evening isn’t scored that way.")
    if evening_value.exclusion_reason == EXCLUDED_OTHER_GAME:
        return _("Not counted: its points are for a different game.")
    return ""


def describe_terms(handicap_terms: HandicapTerms) -> str:
    """Describe in one sentence how a season computes handicaps."""
    message_values = {
        "share": format_exact(handicap_terms.share),
        "par": format_exact(handicap_terms.par),
        "last": handicap_terms.last,
        "months": handicap_terms.months,
        "cap": format_exact(handicap_terms.cap),
        "least": handicap_terms.least,
    }
    message = _(
        "Handicap: %(share)s of the gap between the player’s average (last %(last)s "
        "evenings in %(months)s months) and %(par)s tricks per board. Maximum %(cap)s "
        "either way"
    )
    if handicap_terms.figure == MEASURE_PERCENT:
        message = _(
            "Handicap: %(share)s of the gap between the player’s average (last %(last)s "
            "evenings in %(months)s months) and %(par)s per cent. Maximum %(cap)s either "
            "way"
        )
    if handicap_terms.source == SOURCE_GRADES:
        message = _(
            "Handicap: %(share)s of the gap between the player’s grade per board and "
            "%(par)s. Maximum %(cap)s either way. Without a public grade, the average of "
            "the last %(last)s evenings in %(months)s months"
        )
    newcomer_text = ngettext(
        "No handicap below %(least)s evening",
        "No handicap below %(least)s evenings",
        handicap_terms.least,
    )
    if handicap_terms.newcomers == NEWCOMER_LARGEST:
        newcomer_text = ngettext(
            "Players with fewer than %(least)s evening get the largest handicap in the field",
            "Players with fewer than %(least)s evenings get the largest handicap in the field",
            handicap_terms.least,
        )
    return f"{message % message_values}. {newcomer_text % message_values}."


def explain_handicap(own_handicap: DatedHandicap, handicap_terms: HandicapTerms) -> str:
    """Return the calculation of a person's handicap as text."""
    value_text = format_exact_signed(own_handicap.value)
    if own_handicap.source_code == HANDICAP_FROM_DIRECTOR:
        return _("Set by the director: %(value)s.") % {"value": value_text}
    result_count = len(own_handicap.used_results)
    if (
        own_handicap.source_code == HANDICAP_TOO_FEW_RESULTS
        and handicap_terms.source == SOURCE_GRADES
        and not result_count
    ):
        return _("No grade yet: %(value)s.") % {"value": value_text}
    if own_handicap.source_code == HANDICAP_TOO_FEW_RESULTS:
        message = ngettext(
            "%(n)s of %(least)s evenings needed: %(value)s.",
            "%(n)s of %(least)s evenings needed: %(value)s.",
            result_count,
        )
        return message % {
            "n": result_count,
            "least": handicap_terms.least,
            "value": value_text,
        }
    assert own_handicap.mean is not None
    if own_handicap.source_code == HANDICAP_FROM_GRADE:
        message = _("Grade %(mean)s per board: %(share)s × (%(par)s %(less)s) = %(uncapped)s")
        explanation = message % _build_handicap_placeholders(own_handicap, handicap_terms)
        return _append_cap(explanation, own_handicap, handicap_terms)
    message = ngettext(
        "Average of %(n)s evening %(mean)s: %(share)s × (%(par)s %(less)s) = %(uncapped)s",
        "Average of %(n)s evenings %(mean)s: %(share)s × (%(par)s %(less)s) = %(uncapped)s",
        result_count,
    )
    message_values = _build_handicap_placeholders(own_handicap, handicap_terms) | {
        "n": result_count
    }
    return _append_cap(message % message_values, own_handicap, handicap_terms)


def _build_handicap_placeholders(
    own_handicap: DatedHandicap, handicap_terms: HandicapTerms
) -> dict[str, object]:
    assert own_handicap.mean is not None
    return {
        "mean": format_exact(own_handicap.mean),
        "share": format_exact(handicap_terms.share),
        "par": format_exact(handicap_terms.par),
        "less": format_summand(-own_handicap.mean),
        "uncapped": format_exact_signed(own_handicap.uncapped_value),
    }


def _append_cap(
    explanation: str, own_handicap: DatedHandicap, handicap_terms: HandicapTerms
) -> str:
    if own_handicap.value == own_handicap.uncapped_value:
        return f"{explanation}."
    return explanation + _(", maximum %(cap)s: %(value)s.") % {
        "cap": format_exact(handicap_terms.cap),
        "value": format_exact_signed(own_handicap.value),
    }


def explain_entry_handicap(
    person_names: Sequence[str], person_handicaps: Sequence[Fraction], entry_handicap: Fraction
) -> str:
    """Return the calculation of an entry's handicap as the mean of its people's handicaps.

    The text mentions if the stored handicap differs from this mean.
    """
    if not person_names:
        return ""
    values_text = ", ".join(
        f"{name} {format_exact_signed(person_handicap)}"
        for name, person_handicap in zip(person_names, person_handicaps, strict=True)
    )
    handicaps_by_index = dict(enumerate(person_handicaps))
    if compute_entry_handicap(tuple(handicaps_by_index), handicaps_by_index) == entry_handicap:
        message = _("%(each)s. The average, rounded to hundredths, is %(handicap)s.")
        return message % {"each": values_text, "handicap": format_exact_signed(entry_handicap)}
    message = _("%(handicap)s when play started. It would now be: %(each)s.")
    return message % {"each": values_text, "handicap": format_exact_signed(entry_handicap)}


def explain_handicap_score(handicap_line: HandicapLine, handicap_terms: HandicapTerms) -> str:
    """Return the calculation of an entry's score with handicap as text."""
    message_values: dict[str, object] = {
        "base": format_exact_signed(handicap_line.base),
        "added": format_summand(handicap_line.handicap),
        "total": format_exact_signed(handicap_line.total),
        "boards": format_exact(handicap_line.entry.counted_board_count),
        "a_board": format_exact_signed(handicap_line.strength),
    }
    if handicap_terms.figure == MEASURE_PERCENT:
        message_values |= {
            "base": format_exact(handicap_line.base),
            "total": format_exact(handicap_line.total),
        }
        return _("%(base)s %(added)s = %(total)s.") % message_values
    message = ngettext(
        "%(base)s %(added)s × %(boards)s board = %(total)s.",
        "%(base)s %(added)s × %(boards)s boards = %(total)s, or %(a_board)s per board.",
        handicap_line.entry.board_count,
    )
    return message % message_values


def format_exact_signed(number: Fraction) -> str:
    """Format a number exactly, with a plus sign if it is positive."""
    return f"+{format_exact(number)}" if number > 0 else format_exact(number)


def format_summand(number: Fraction) -> str:
    """Format a number as a term of a written sum, for example "+ 0.06" or "− 0.08"."""
    return f"{MINUS} {format_exact(-number)}" if number < 0 else f"+ {format_exact(number)}"
