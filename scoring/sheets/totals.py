"""The totals next to a score, in words: of tricks, or of points won less those lost."""

from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.methods import METHODS
from server import formatting


def in_points(method: str) -> bool:
    """Return whether results are points won and lost instead of tricks."""
    return bool(method) and METHODS[method].in_points


def total_title(method: str) -> str:
    """Return the heading of the column of totals."""
    return _("Total") if in_points(method) else _("Tricks")


def total_unit(method: str) -> str:
    """Return the unit of a total."""
    return _("points") if in_points(method) else _("tricks")


def written_total(method: str, total: Fraction | int | None) -> str:
    """Format a single total; totals of points have a sign."""
    return (
        formatting.format_signed(total) if in_points(method) else formatting.format_plain(total)
    )


def column_of_totals(method: str, totals: Iterable[Fraction]) -> formatting.ColumnFormat:
    """Return the number format of a column of totals."""
    return formatting.column_format(totals, sign=in_points(method))


def average_words(method: str, average: Fraction) -> str:
    """Return a field's average with its unit."""
    words = _("average %(tricks)s tricks")
    if in_points(method):
        words = _("average %(tricks)s points")
    return words % {"tricks": written_total(method, average)}
