"""The arithmetic behind a value and behind a total, as sentences."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seasons.ladders.rules import rule
from seasons.ladders.rules.evenings import DRIVE, RUBBERS
from seasons.ladders.rules.rule import LadderRule
from seasons.ladders.rules.table import LadderRow
from seasons.ladders.rules.values import FEW_BOARDS, NO_FIGURE, Place, Worth, boards_of
from server import formatting


def total_in_words(row: LadderRow, of: LadderRule) -> str:
    """Open a total into the values that count."""
    if not row.singles:
        return _("No evening counts yet.")
    added = " + ".join(exactly(each) for each in row.singles).replace("+ −", "− ")
    if of.combine == rule.SUM or len(row.singles) == 1:
        return f"{added} = {exactly(row.total)}"
    return f"({added}) : {len(row.singles)} = {exactly(row.total)}"


def value_in_words(worth: Worth, of: LadderRule) -> str:
    """Open the value of one evening into what it was made of."""
    said = [_made(worth, of), _not_counted(worth, of)]
    if of.measure in worth.entry.rescored:
        said.append(
            _("The evening was scored otherwise; these are the same tricks, worked out again.")
        )
    return " ".join(each for each in said if each)


def exactly(number: Fraction | int) -> str:
    """Write a number exactly: 7, 7.5 or 22/3, with the sign of a minus."""
    number = Fraction(number)
    shown = abs(number)
    text = str(shown)
    for places in (1, 2):
        if shown.denominator > 1 and (shown * 10**places).denominator == 1:
            whole = int(shown * 10**places)
            text = f"{whole // 10**places}.{whole % 10**places:0{places}d}"
            break
    return f"{formatting.MINUS}{text}" if number < 0 else text


def _made(worth: Worth, of: LadderRule) -> str:
    if of.measure == rule.ATTENDANCE:
        return _("Came: 1.")
    if worth.place is not None and worth.value is not None:
        words = _placed(worth.place, worth.value, of)
        return words + (" " + _handicap(worth.handicap, of) if worth.handicap else "")
    if worth.base is None or worth.value is None:
        return ""
    return _reckoned(worth, of)


def _placed(place: Place, value: Fraction, of: LadderRule) -> str:
    named = {"rank": formatting.rank(place.place, tied=place.level > 1), "among": place.among}
    where = _("Place %(rank)s of %(among)s") % named
    if of.measure == rule.BEATEN:
        words = _("%(where)s: 2 × %(behind)s behind + %(level)s level = %(value)s.")
        return words % {
            "where": where,
            "behind": place.behind,
            "level": place.level - 1,
            "value": exactly(value),
        }
    if place.level == 1:
        return _("%(where)s: %(value)s.") % {"where": where, "value": exactly(value)}
    shared = _shared(place, of.points)
    words = _("%(where)s: (%(shared)s) : %(level)s = %(value)s.")
    return words % {
        "where": where,
        "shared": " + ".join(exactly(each) for each in shared),
        "level": place.level,
        "value": exactly(value),
    }


def _shared(place: Place, table: Sequence[Fraction]) -> list[Fraction]:
    filled = range(place.place - 1, place.place - 1 + place.level)
    return [table[each] if each < len(table) else Fraction() for each in filled]


def _reckoned(worth: Worth, of: LadderRule) -> str:
    assert worth.base is not None
    assert worth.value is not None
    boards = worth.entry.boards
    counted = exactly(boards_of(worth.entry, of.measure))
    base = exactly(worth.base)
    if of.measure == rule.PLUS_A_BOARD and worth.entry.plus is not None:
        words = ngettext(
            "%(plus)s over %(boards)s board = %(base)s.",
            "%(plus)s over %(boards)s boards = %(base)s.",
            boards,
        )
        base = words % {
            "plus": exactly(worth.entry.plus), "boards": counted, "base": base,
        }  # fmt: skip
    else:
        base = _over(worth) % {"base": base, "boards": boards}
    if not worth.handicap:
        return base
    if of.measure in (rule.PLUS, rule.TRICKS, rule.SCORE):
        words = _("With the handicap %(base)s + %(h)s × %(boards)s = %(value)s.")
    else:
        words = _("With the handicap %(base)s + %(h)s = %(value)s.")
    return (
        base
        + " "
        + words
        % {
            "base": exactly(worth.base),
            "h": exactly(worth.handicap),
            "boards": counted,
            "value": exactly(worth.value),
        }
    )


def _over(worth: Worth) -> str:
    boards = worth.entry.boards
    if worth.evening.contest == RUBBERS:
        return _("%(base)s, points won less points lost.")
    if worth.evening.contest == DRIVE:
        return ngettext("%(base)s in %(boards)s hand.", "%(base)s in %(boards)s hands.", boards)
    return ngettext(
        "%(base)s over %(boards)s board.", "%(base)s over %(boards)s boards.", boards
    )


def _handicap(handicap: Fraction, of: LadderRule) -> str:
    if of.handicap == rule.PERCENT:
        return _("Placed with a handicap of %(h)s per cent.") % {"h": exactly(handicap)}
    return _("Placed with a handicap of %(h)s a board.") % {"h": exactly(handicap)}


def _not_counted(worth: Worth, of: LadderRule) -> str:
    if worth.why_not == FEW_BOARDS:
        words = _("It does not count: %(boards)s of %(most)s boards is less than %(part)s.")
        return words % {
            "boards": worth.entry.boards,
            "most": worth.evening.most_boards,
            "part": of.least_part,
        }
    if worth.why_not == NO_FIGURE:
        return _("It does not count: this figure is not known of the evening.")
    return ""
