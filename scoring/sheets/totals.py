"""The texts and formats of totals: of tricks, or of points won less points lost."""

from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.methods import METHODS_BY_NAME
from server import formatting


def is_method_in_points(method: str) -> bool:
    """Return whether results are points won and lost instead of tricks."""
    return bool(method) and METHODS_BY_NAME[method].is_in_points


def get_total_title(method: str) -> str:
    """Return the heading of the column of totals."""
    return _("Total") if is_method_in_points(method) else _("Tricks")


def get_total_unit(method: str) -> str:
    """Return the unit of a total."""
    return _("points") if is_method_in_points(method) else _("tricks")


def format_total(method: str, total: Fraction | int | None) -> str:
    """Format a single total; totals of points have a sign."""
    return (
        formatting.format_signed(total)
        if is_method_in_points(method)
        else formatting.format_plain(total)
    )


def choose_total_format(method: str, totals: Iterable[Fraction]) -> formatting.ColumnFormat:
    """Return the number format of a column of totals."""
    return formatting.choose_column_format(totals, has_sign=is_method_in_points(method))


def format_average(method: str, average: Fraction) -> str:
    """Return a field's average with its unit."""
    template = _("average %(tricks)s tricks")
    if is_method_in_points(method):
        template = _("average %(tricks)s points")
    return template % {"tricks": format_total(method, average)}
