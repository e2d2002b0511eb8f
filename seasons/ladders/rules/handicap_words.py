"""The arithmetic behind a handicap, as sentences."""

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from seasons.ladders.rules.explained import exactly
from seasons.ladders.rules.handicaps import (
    BY_HAND,
    FEW,
    GRADED,
    GRADES,
    LARGEST,
    HandicapLine,
    HandicapTerms,
    OwnHandicap,
    of_entry,
)
from seasons.ladders.rules.rule import PERCENT
from server.formatting import MINUS


def terms_in_words(of: HandicapTerms) -> str:
    """Say how a season's handicaps are found, as one sentence."""
    given = {
        "share": exactly(of.share),
        "par": exactly(of.par),
        "last": of.last,
        "months": of.months,
        "cap": exactly(of.cap),
        "least": of.least,
    }
    words = _(
        "%(share)s of what the mean plus a board of the last %(last)s evenings within "
        "%(months)s months lacks to %(par)s, at most %(cap)s of a trick a board up or down"
    )
    if of.figure == PERCENT:
        words = _(
            "%(share)s of what the mean per cent of the last %(last)s evenings within "
            "%(months)s months lacks to %(par)s, at most %(cap)s per cent up or down"
        )
    if of.source == GRADES:
        words = _(
            "%(share)s of what the grade a board lacks to %(par)s, at most %(cap)s of a trick "
            "a board up or down; whose grade not everybody may see, by the mean plus a board "
            "of the last %(last)s evenings within %(months)s months"
        )
    newcomers = ngettext(
        "who has fewer than %(least)s evening has none",
        "who has fewer than %(least)s evenings has none",
        of.least,
    )
    if of.newcomers == LARGEST:
        newcomers = ngettext(
            "who has fewer than %(least)s evening has the largest of the field",
            "who has fewer than %(least)s evenings has the largest of the field",
            of.least,
        )
    return f"{words % given}; {newcomers % given}."


def own_in_words(own: OwnHandicap, of: HandicapTerms) -> str:
    """Open somebody's handicap into what it was found from."""
    if own.how == BY_HAND:
        return _("Given by the director: %(value)s.") % {"value": signed(own.value)}
    came = len(own.singles)
    if own.how == FEW and of.source == GRADES and not came:
        return _("No grade yet: %(value)s.") % {"value": signed(own.value)}
    if own.how == FEW:
        words = ngettext(
            "%(n)s evening of the %(least)s that it takes: %(value)s.",
            "%(n)s evenings of the %(least)s that it takes: %(value)s.",
            came,
        )
        return words % {"n": came, "least": of.least, "value": signed(own.value)}
    assert own.mean is not None
    if own.how == GRADED:
        words = _("Grade %(mean)s a board: %(share)s × (%(par)s %(less)s) = %(uncapped)s")
        return _capped(words % _figures(own, of), own, of)
    words = ngettext(
        "Mean of %(n)s evening %(mean)s: %(share)s × (%(par)s %(less)s) = %(uncapped)s",
        "Mean of %(n)s evenings %(mean)s: %(share)s × (%(par)s %(less)s) = %(uncapped)s",
        came,
    )
    return _capped(words % (_figures(own, of) | {"n": came}), own, of)


def _figures(own: OwnHandicap, of: HandicapTerms) -> dict[str, object]:
    assert own.mean is not None
    return {
        "mean": exactly(own.mean),
        "share": exactly(of.share),
        "par": exactly(of.par),
        "less": added(-own.mean),
        "uncapped": signed(own.uncapped),
    }


def _capped(words: str, own: OwnHandicap, of: HandicapTerms) -> str:
    if own.value == own.uncapped:
        return f"{words}."
    return words + _(", and no more than %(cap)s: %(value)s.") % {
        "cap": exactly(of.cap), "value": signed(own.value),
    }  # fmt: skip


def entry_in_words(names: Sequence[str], values: Sequence[Fraction], handicap: Fraction) -> str:
    """Open an entry's handicap into its people's; where it was frozen otherwise, say so."""
    if not names:
        return ""
    each = ", ".join(
        f"{name} {signed(value)}" for name, value in zip(names, values, strict=True)
    )
    people = dict(enumerate(values))
    if of_entry(tuple(people), people) == handicap:
        words = _("%(each)s: the mean, to the nearest hundredth, is %(handicap)s.")
        return words % {"each": each, "handicap": signed(handicap)}
    words = _("%(handicap)s as it stood when play opened; found today: %(each)s.")
    return words % {"each": each, "handicap": signed(handicap)}


def line_in_words(line: HandicapLine, of: HandicapTerms) -> str:
    """Open an entry's figure with handicap."""
    given: dict[str, object] = {
        "base": signed(line.base),
        "added": added(line.handicap),
        "total": signed(line.total),
        "boards": exactly(line.entry.counted_boards),
        "a_board": signed(line.strength),
    }
    if of.figure == PERCENT:
        given |= {"base": exactly(line.base), "total": exactly(line.total)}
        return _("%(base)s %(added)s = %(total)s.") % given
    words = ngettext(
        "%(base)s %(added)s × %(boards)s board = %(total)s.",
        "%(base)s %(added)s × %(boards)s boards = %(total)s, a board %(a_board)s.",
        line.entry.boards,
    )
    return words % given


def signed(number: Fraction) -> str:
    """Write a number exactly, with the sign of a plus too."""
    return f"+{exactly(number)}" if number > 0 else exactly(number)


def added(number: Fraction) -> str:
    """Write a number as it is added: "+ 0.06", "− 0.08"."""
    return f"{MINUS} {exactly(-number)}" if number < 0 else f"+ {exactly(number)}"
