"""Explains in sentences how a points table counts a hand, for pages and papers."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from drives.games.contracts import (
    DeclaringSide,
    PassedDealRule,
    PointsTable,
    SeveralBiddersRule,
    TrickGoal,
)


def list_term_sentences(points_table: PointsTable) -> list[str]:
    """Return sentences about who pays, passed deals, revokes, doubling and fines."""
    return [
        *_list_payment_sentences(points_table),
        explain_passed_deals(points_table),
        *_list_revoke_sentences(points_table),
        *_list_doubling_sentences(points_table),
    ]


def _list_payment_sentences(points_table: PointsTable) -> Iterator[str]:
    yield _("Each opponent pays or receives these points. The four scores add up to 0.")
    yield _("One player against three wins or loses three times the points.")
    if any(
        contract.rule.side is DeclaringSide.EACH for contract in points_table.playable_contracts
    ):
        yield (
            _("When several play for themselves, each settles separately.")
            if points_table.several is SeveralBiddersRule.EACH
            else _("When several play for themselves, they win or lose together.")
        )
    if any(
        contract.rule.goal is TrickGoal.ALWAYS_LOSES
        for contract in points_table.playable_contracts
    ):
        yield _("In a contract without tricks, the named player pays.")


def explain_passed_deals(points_table: PointsTable) -> str:
    """Explain what follows a deal that everyone passed."""
    return {
        PassedDealRule.REDEAL: _("Everyone passed: deal again. Nothing is doubled."),
        PassedDealRule.DOUBLE_NEXT: _(
            "Everyone passed: the next player deals, and that hand counts double. "
            "More passed deals change nothing."
        ),
        PassedDealRule.ACCUMULATE: _(
            "Everyone passed: the next player deals, and that hand counts × 2. After two "
            "passed deals it counts × 3, and so on."
        ),
    }[points_table.passed]


def _list_revoke_sentences(points_table: PointsTable) -> Iterator[str]:
    fine_sentence = _(
        "The player who revokes pays each of the others a fine, which the organiser sets."
    )
    entry_sentence = _("If there was a revoke, enter the hand’s four scores.")
    penalty_sentence = fine_sentence if points_table.fines else entry_sentence
    if points_table.revoke is None:
        yield _("Revoke: %(what)s") % {"what": penalty_sentence}
        return
    if points_table.revoke.tricks:
        sentence = _(
            "Revoke by the contract’s players: they lose the contract. "
            "Tricks lost for each revoke: %(tricks)s."
        )
        yield sentence % {"tricks": points_table.revoke.tricks}
    else:
        sentence = _("Revoke by the declaring side: they lose the points × %(times)s.")
        yield sentence % {"times": points_table.revoke.times}
    yield _("Revoke by their opponents: %(what)s") % {"what": penalty_sentence}


def _list_doubling_sentences(points_table: PointsTable) -> Iterator[str]:
    if points_table.times:
        multipliers_text = ", ".join(
            f"× {table_multiple}" for table_multiple in points_table.times
        )
        yield _("A table may double a hand: %(multiples)s.") % {"multiples": multipliers_text}
    if not points_table.fines:
        yield _("There are no fines.")
