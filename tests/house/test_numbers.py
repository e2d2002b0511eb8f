"""Typed numbers are parsed only by `server.numbers`, which limits their digits."""

import ast

from tests.house.sources import MODULES, list_nodes
from tests.house.test_architecture import list_breaches

NUMBER_TYPES = {"int", "float", "Fraction", "Decimal"}
EDGE_MODULE_NAMES = {
    "views",
    "forms",
    "api",
    "services",
    "activity_access",
    "drive_access",
    "event_access",
    "rubber_access",
    "admin",
}
# Text that the program itself wrote, or that a form has validated against a short list.
EXEMPT_MODULES = {
    "drives.services.seat_changes": "keys of what the program itself kept",
    "rubbers.services.files": "numbers of a file that was read and checked",
    "drives.services.files": "numbers of a file that was read and checked",
    "hall.check_in.views": "a number of tables that the page itself stored in the session",
    "scoring.api.results": "a truth as a number",
    "scoring.api.serializers": "marks of stored results",
    "scoring.forms": "numbers of tables from the form's own choices",
    "scoring.views.assistant": "answers from the question's own choices",
    "scoring.views.card_pictures": "places in a drawing of our own",
    "scoring.views.change_forms": "rounds from the form's own choices",
    "seasons.grades.services.computation": "keys of people that the program itself wrote",
    "server.api.errors": "seconds of the limit on guessing",
    "tournaments.api.sessions": "the edition of a movement that the program itself stored",
    "tournaments.views.event_listing": "a year from the page's own list",
    "tournaments.views.sections": "at most ten numbers of three figures, held by a pattern",
}


def list_unlimited_reads(module: str) -> list[int]:
    """Return the lines where text could become a number without a limit."""
    return [
        node.lineno
        for node in list_nodes(module, ast.Call)
        if isinstance(node.func, ast.Name)
        and node.func.id in NUMBER_TYPES
        and node.args
        and not _is_a_number(node.args[0])
    ]


def _is_a_number(node: ast.expr) -> bool:
    """Return whether an expression is already a number: constant, sum, length or time."""
    return isinstance(node, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Compare)


def test_views_and_commands_parse_numbers_with_shared_functions() -> None:
    edge_modules = [name for name in MODULES if set(name.split(".")) & EDGE_MODULE_NAMES]
    assert set(list_breaches(list_unlimited_reads, edge_modules)) == set(EXEMPT_MODULES)
