"""Sentences that explain how a table of points counts a hand, for pages and papers."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from drives.games.contracts import Goal, PassedRule, PointsTable, SeveralRule, Side


def list_term_sentences(table: PointsTable) -> list[str]:
    """Explain who pays, passed deals, revokes, doubling and fines, a sentence or two each."""
    return [
        *_list_payment_sentences(table),
        explain_passed_deals(table),
        *_list_revoke_sentences(table),
        *_list_doubling_sentences(table),
    ]


def _list_payment_sentences(table: PointsTable) -> Iterator[str]:
    yield _("Each opponent pays or receives these points. The four scores add up to 0.")
    yield _("One player against three wins or loses them three times.")
    if any(each.rule.side is Side.EACH for each in table.played):
        yield (
            _("Several players for themselves: each settles separately.")
            if table.several is SeveralRule.EACH
            else _("Several players for themselves win or lose together.")
        )
    if any(each.rule.how is Goal.LOSES for each in table.played):
        yield _("In a contract without tricks, the player named pays.")


def explain_passed_deals(table: PointsTable) -> str:
    """Explain what follows a deal that everyone passed."""
    return {
        PassedRule.REDEAL: _("Everyone passed: deal again. Nothing is doubled."),
        PassedRule.DOUBLE_NEXT: _(
            "Everyone passed: the next player deals, and that hand counts double. "
            "More passed deals change nothing."
        ),
        PassedRule.ADDS: _(
            "Everyone passed: the next player deals, and that hand counts times 2. "
            "After two passed deals it counts times 3, and so on."
        ),
    }[table.passed]


def _list_revoke_sentences(table: PointsTable) -> Iterator[str]:
    fine = _("The player who revokes pays a fine to each of the others.")
    typed = _("Enter the four scores of a hand with a revoke.")
    penalty = fine if table.fines else typed
    if table.revoke is None:
        yield _("Revoke: %(what)s") % {"what": penalty}
        return
    if table.revoke.tricks:
        words = _(
            "Revoke by the contract’s players: they lose the contract, "
            "and %(tricks)s tricks for each revoke."
        )
        yield words % {"tricks": table.revoke.tricks}
    else:
        words = _("Revoke by the contract’s players: they lose %(times)s times the points.")
        yield words % {"times": table.revoke.times}
    yield _("Revoke by their opponents: %(what)s") % {"what": penalty}


def _list_doubling_sentences(table: PointsTable) -> Iterator[str]:
    if table.times:
        multiples = ", ".join(f"× {each}" for each in table.times)
        yield _("A table may double a hand: %(multiples)s.") % {"multiples": multiples}
    if not table.fines:
        yield _("There are no fines.")
