"""The texts for users that explain rules, values and totals of ladders and handicaps."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seasons.ladders.rules import rule
from seasons.ladders.rules.evenings import DRIVE, RUBBERS
from seasons.ladders.rules.handicaps import (
    BY_HAND,
    GRADED,
    GRADES,
    LARGEST,
    TOO_FEW_RESULTS,
    HandicapLine,
    HandicapTerms,
    OwnHandicap,
    compute_entry_handicap,
)
from seasons.ladders.rules.rule import PERCENT, LadderRule
from seasons.ladders.rules.table import (
    FEW_BOARDS,
    NO_FIGURE,
    OTHER_GAME,
    EveningValue,
    FieldPlace,
    LadderRow,
    LadderTable,
    count_boards,
)
from server import formatting
from server.formatting import MINUS


def describe_rule(of: LadderRule) -> str:
    """Return the description of a ladder's rule that is shown below its table."""
    parts = [_describe_measure(of), _describe_counting(of), _describe_minimum(of)]
    if of.least_part:
        message = _("at least %(part)s of an evening's boards")
        parts.append(message % {"part": of.least_part})
    if of.members_only:
        parts.append(
            _("members only, places recalculated without visitors")
            if of.close_ranks
            else _("members only, visitors keep their places and points")
        )
    elif of.close_ranks:
        parts.append(_("places recalculated without visitors"))
    if of.handicap:
        parts.append(_("with the season's handicap"))
    elif of.handicaps:
        parts.append(_("with handicap"))
    if of.ties:
        message = _("tie-break: %(ties)s")
        parts.append(message % {"ties": _join_words([format_tie_break(ty) for ty in of.ties])})
    sentence = " · ".join(part for part in parts if part)
    return f"{sentence[:1].upper()}{sentence[1:]}"


def describe_games(table: LadderTable) -> str:
    """Return the warning of a ladder that adds points, where its evenings have several games.

    It is "" for a ladder of another measure, and where all evenings have the same game.
    """
    if table.rule.measure != rule.SCORE or not table.has_other_games:
        return ""
    if table.rule.mix_games:
        return _("Points of different games are added. One game can pay ten times another.")
    return _("Only evenings with the game of the first one count.")


def format_measure(measure: str) -> str:
    """Return the name of a measure as shown in column headings and form choices."""
    return _NAMES[measure]()


def format_tie_break(tie: str) -> str:
    """Return the name of a tie-break as shown in form choices."""
    return _TIES[tie]()


def _describe_measure(of: LadderRule) -> str:
    if of.measure != rule.PLACE:
        return _MEASURE_DESCRIPTIONS[of.measure]()
    table = "–".join(formatting.format_plain(point) for point in of.points[:12])
    if len(of.points) > 12:
        table += " …"
    message = _("points by place in each direction: %(points)s")
    if of.across:
        message = _("points by place in both directions together: %(points)s")
    return message % {"points": table}


def _describe_counting(of: LadderRule) -> str:
    if of.best is not None:
        words = (
            ngettext("best evening counts", "average of the best %(best)s evenings", of.best)
            if of.combine == rule.MEAN
            else ngettext("best evening counts", "best %(best)s evenings count", of.best)
        )
        return words % {"best": of.best}
    base_text = (
        _("average of all evenings") if of.combine == rule.MEAN else _("all evenings count")
    )
    if of.drop_from is None or of.drop_every is None:
        return base_text
    words = ngettext(
        "%(whole)s, with one lowest score dropped for each evening over %(from)s",
        "%(whole)s, with one lowest score dropped for every %(every)s evenings over %(from)s",
        of.drop_every,
    )
    return words % {"whole": base_text, "from": of.drop_from, "every": of.drop_every}


def _describe_minimum(of: LadderRule) -> str:
    if of.minimum < 2:
        return ""
    return _("at least %(minimum)s evenings") % {"minimum": of.minimum}


def _join_words(words: list[str]) -> str:
    return _(", then ").join(words)


_NAMES = {
    rule.PLACE: lambda: _("points by place"),
    rule.BEATEN: lambda: _("competitors beaten"),
    rule.PLUS: lambda: _("plus/minus"),
    rule.PLUS_A_BOARD: lambda: _("plus/minus per board"),
    rule.PERCENT: lambda: _("per cent"),
    rule.TRICKS: lambda: _("tricks"),
    rule.SCORE: lambda: _("score"),
    rule.ATTENDANCE: lambda: _("attendance"),
}
_MEASURE_DESCRIPTIONS = {
    rule.BEATEN: lambda: _("2 points for each competitor beaten, 1 for each tie"),
    rule.PLUS: lambda: _("plus/minus for the evening"),
    rule.PLUS_A_BOARD: lambda: _("plus/minus per board"),
    rule.PERCENT: lambda: _("matchpoint percentage"),
    rule.TRICKS: lambda: _("tricks taken"),
    rule.SCORE: lambda: _("score of the evening"),
    rule.ATTENDANCE: lambda: _("1 for each evening"),
}
_TIES = {
    rule.SINGLES: lambda: _("best single evenings"),
    rule.PLAYED: lambda: _("more evenings"),
    rule.LATEST: lambda: _("most recent evening"),
}


def explain_total(row: LadderRow, of: LadderRule) -> str:
    """Return the sum that shows how a line's total follows from its evening values."""
    if not row.singles:
        return _("No evening counts yet.")
    added = " + ".join(format_exact(single) for single in row.singles).replace("+ −", "− ")
    if of.combine == rule.SUM or len(row.singles) == 1:
        return f"{added} = {format_exact(row.total)}"
    return f"({added}) : {len(row.singles)} = {format_exact(row.total)}"


def explain_value(evening_value: EveningValue, of: LadderRule) -> str:
    """Return the calculation of an evening's value, or the reason why the evening does not
    count.
    """
    sentences = [_explain_score(evening_value, of), _explain_not_counted(evening_value, of)]
    if of.measure in evening_value.entry.rescored:
        sentences.append(
            _(
                "Converted from the same tricks, because the evening was "
                "scored by another method."
            )
        )
    return " ".join(sentence for sentence in sentences if sentence)


def format_exact(number: Fraction | int) -> str:
    """Format a number exactly, for example as 7, 7.5 or 22/3, with a typographic minus sign."""
    number = Fraction(number)
    magnitude = abs(number)
    text = str(magnitude)
    for places in (1, 2):
        if magnitude.denominator > 1 and (magnitude * 10**places).denominator == 1:
            scaled = int(magnitude * 10**places)
            text = f"{scaled // 10**places}.{scaled % 10**places:0{places}d}"
            break
    return f"{formatting.MINUS}{text}" if number < 0 else text


def _explain_score(evening_value: EveningValue, of: LadderRule) -> str:
    if of.measure == rule.ATTENDANCE:
        return _("Present: 1.")
    if evening_value.place is not None and evening_value.value is not None:
        words = _explain_place(evening_value.place, evening_value.value, of)
        return words + (
            " " + _format_handicap(evening_value.handicap, of) if evening_value.handicap else ""
        )
    if evening_value.base is None or evening_value.value is None:
        return ""
    return _explain_with_handicap(evening_value, of)


def _explain_place(place: FieldPlace, value: Fraction, of: LadderRule) -> str:
    numbers = {
        "rank": formatting.format_rank(place.place, tied=place.level > 1),
        "among": place.among,
    }
    place_text = _("Place %(rank)s of %(among)s") % numbers
    if of.measure == rule.BEATEN:
        message = _("%(where)s: 2 × %(behind)s beaten + %(level)s level = %(value)s.")
        return message % {
            "where": place_text,
            "behind": place.behind,
            "level": place.level - 1,
            "value": format_exact(value),
        }
    if place.level == 1:
        return _("%(where)s: %(value)s.") % {"where": place_text, "value": format_exact(value)}
    shared = _list_shared_points(place, of.points)
    message = _("%(where)s: (%(shared)s) : %(level)s = %(value)s.")
    return message % {
        "where": place_text,
        "shared": " + ".join(format_exact(points) for points in shared),
        "level": place.level,
        "value": format_exact(value),
    }


def _list_shared_points(place: FieldPlace, table: Sequence[Fraction]) -> list[Fraction]:
    filled = range(place.place - 1, place.place - 1 + place.level)
    return [table[index] if index < len(table) else Fraction() for index in filled]


def _explain_with_handicap(evening_value: EveningValue, of: LadderRule) -> str:
    assert evening_value.base is not None
    assert evening_value.value is not None
    boards = evening_value.entry.boards
    board_text = format_exact(count_boards(evening_value.entry, of.measure))
    base = format_exact(evening_value.base)
    if of.measure == rule.PLUS_A_BOARD and evening_value.entry.plus is not None:
        message = ngettext(
            "%(plus)s over %(boards)s board = %(base)s.",
            "%(plus)s over %(boards)s boards = %(base)s.",
            boards,
        )
        base = message % {
            "plus": format_exact(evening_value.entry.plus), "boards": board_text, "base": base,
        }  # fmt: skip
    else:
        base = _format_board_count(evening_value) % {"base": base, "boards": boards}
    if not evening_value.handicap:
        return base
    if of.measure in (rule.PLUS, rule.TRICKS, rule.SCORE):
        message = _("With the handicap %(base)s + %(h)s × %(boards)s = %(value)s.")
    else:
        message = _("With the handicap %(base)s + %(h)s = %(value)s.")
    return (
        base
        + " "
        + message
        % {
            "base": format_exact(evening_value.base),
            "h": format_exact(evening_value.handicap),
            "boards": board_text,
            "value": format_exact(evening_value.value),
        }
    )


def _format_board_count(evening_value: EveningValue) -> str:
    boards = evening_value.entry.boards
    if evening_value.evening.contest == RUBBERS:
        return _("%(base)s (points won minus points lost).")
    if evening_value.evening.contest == DRIVE:
        return ngettext("%(base)s in %(boards)s hand.", "%(base)s in %(boards)s hands.", boards)
    return ngettext(
        "%(base)s over %(boards)s board.", "%(base)s over %(boards)s boards.", boards
    )


def _format_handicap(handicap: Fraction, of: LadderRule) -> str:
    if of.handicap == rule.PERCENT:
        return _("Placed with a handicap of %(h)s per cent.") % {"h": format_exact(handicap)}
    return _("Placed with a handicap of %(h)s per board.") % {"h": format_exact(handicap)}


def _explain_not_counted(evening_value: EveningValue, of: LadderRule) -> str:
    if evening_value.why_not == FEW_BOARDS:
        message = _("Not counted: %(boards)s of %(most)s boards is less than %(part)s.")
        return message % {
            "boards": evening_value.entry.boards,
            "most": evening_value.evening.most_boards,
            "part": of.least_part,
        }
    if evening_value.why_not == NO_FIGURE:
        return _("Not counted: this evening has no such score.")
    if evening_value.why_not == OTHER_GAME:
        return _("Not counted: its points are for a different game.")
    return ""


def describe_terms(of: HandicapTerms) -> str:
    """Describe in one sentence how a season computes handicaps."""
    values = {
        "share": format_exact(of.share),
        "par": format_exact(of.par),
        "last": of.last,
        "months": of.months,
        "cap": format_exact(of.cap),
        "least": of.least,
    }
    message = _(
        "Handicap: %(share)s of the gap between the player's average "
        "(last %(last)s evenings in %(months)s months) and %(par)s "
        "tricks per board. Maximum %(cap)s either way"
    )
    if of.figure == PERCENT:
        message = _(
            "Handicap: %(share)s of the gap between the player's average "
            "(last %(last)s evenings in %(months)s months) and %(par)s "
            "per cent. Maximum %(cap)s either way"
        )
    if of.source == GRADES:
        message = _(
            "Handicap: %(share)s of the gap between the player's grade "
            "per board and %(par)s. Maximum %(cap)s either way. Without "
            "a public grade, the average of the last %(last)s evenings "
            "in %(months)s months"
        )
    newcomers = ngettext(
        "No handicap below %(least)s evening",
        "No handicap below %(least)s evenings",
        of.least,
    )
    if of.newcomers == LARGEST:
        newcomers = ngettext(
            "Players with fewer than %(least)s evening get the largest handicap of the field",
            "Players with fewer than %(least)s evenings get the largest handicap of the field",
            of.least,
        )
    return f"{message % values}. {newcomers % values}."


def explain_handicap(own_handicap: OwnHandicap, of: HandicapTerms) -> str:
    """Return the calculation of a person's handicap as text."""
    if own_handicap.how == BY_HAND:
        return _("Set by the director: %(value)s.") % {
            "value": format_exact_signed(own_handicap.value)
        }
    results_text = len(own_handicap.singles)
    if own_handicap.how == TOO_FEW_RESULTS and of.source == GRADES and not results_text:
        return _("No grade yet: %(value)s.") % {
            "value": format_exact_signed(own_handicap.value)
        }
    if own_handicap.how == TOO_FEW_RESULTS:
        message = ngettext(
            "%(n)s of %(least)s evenings needed: %(value)s.",
            "%(n)s of %(least)s evenings needed: %(value)s.",
            results_text,
        )
        return message % {
            "n": results_text,
            "least": of.least,
            "value": format_exact_signed(own_handicap.value),
        }
    assert own_handicap.mean is not None
    if own_handicap.how == GRADED:
        message = _("Grade %(mean)s per board: %(share)s × (%(par)s %(less)s) = %(uncapped)s")
        return _describe_cap(
            message % _build_handicap_words(own_handicap, of), own_handicap, of
        )
    message = ngettext(
        "Average of %(n)s evening %(mean)s: %(share)s × (%(par)s %(less)s) = %(uncapped)s",
        "Average of %(n)s evenings %(mean)s: %(share)s × (%(par)s %(less)s) = %(uncapped)s",
        results_text,
    )
    return _describe_cap(
        message % (_build_handicap_words(own_handicap, of) | {"n": results_text}),
        own_handicap,
        of,
    )


def _build_handicap_words(own_handicap: OwnHandicap, of: HandicapTerms) -> dict[str, object]:
    assert own_handicap.mean is not None
    return {
        "mean": format_exact(own_handicap.mean),
        "share": format_exact(of.share),
        "par": format_exact(of.par),
        "less": format_summand(-own_handicap.mean),
        "uncapped": format_exact_signed(own_handicap.uncapped),
    }


def _describe_cap(words: str, own_handicap: OwnHandicap, of: HandicapTerms) -> str:
    if own_handicap.value == own_handicap.uncapped:
        return f"{words}."
    return words + _(", maximum %(cap)s: %(value)s.") % {
        "cap": format_exact(of.cap), "value": format_exact_signed(own_handicap.value),
    }  # fmt: skip


def explain_entry_handicap(
    names: Sequence[str], values: Sequence[Fraction], handicap: Fraction
) -> str:
    """Return the calculation of an entry's handicap as the mean of its people's handicaps.

    The text mentions if the stored handicap differs from this mean.
    """
    if not names:
        return ""
    each = ", ".join(
        f"{name} {format_exact_signed(value)}"
        for name, value in zip(names, values, strict=True)
    )
    people = dict(enumerate(values))
    if compute_entry_handicap(tuple(people), people) == handicap:
        message = _("%(each)s. The average, rounded to hundredths, is %(handicap)s.")
        return message % {"each": each, "handicap": format_exact_signed(handicap)}
    message = _("%(handicap)s when play started. It would now be: %(each)s.")
    return message % {"each": each, "handicap": format_exact_signed(handicap)}


def explain_handicap_score(line: HandicapLine, of: HandicapTerms) -> str:
    """Return the calculation of an entry's score with handicap as text."""
    values: dict[str, object] = {
        "base": format_exact_signed(line.base),
        "added": format_summand(line.handicap),
        "total": format_exact_signed(line.total),
        "boards": format_exact(line.entry.counted_boards),
        "a_board": format_exact_signed(line.strength),
    }
    if of.figure == PERCENT:
        values |= {"base": format_exact(line.base), "total": format_exact(line.total)}
        return _("%(base)s %(added)s = %(total)s.") % values
    message = ngettext(
        "%(base)s %(added)s × %(boards)s board = %(total)s.",
        "%(base)s %(added)s × %(boards)s boards = %(total)s, or %(a_board)s per board.",
        line.entry.boards,
    )
    return message % values


def format_exact_signed(number: Fraction) -> str:
    """Format a number exactly, with a plus sign if it is positive."""
    return f"+{format_exact(number)}" if number > 0 else format_exact(number)


def format_summand(number: Fraction) -> str:
    """Format a number as a term of a written sum, for example "+ 0.06" or "− 0.08"."""
    return f"{MINUS} {format_exact(-number)}" if number < 0 else f"+ {format_exact(number)}"
