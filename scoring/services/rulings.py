"""Services that make and withdraw rulings. Rulings are stored separately from results."""

from datetime import datetime
from fractions import Fraction
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

import boards.services
from boards.whist import Card, Deal
from clubs import audit
from clubs.audit import Actor, AuditData, Undo
from scoring.errors import RulingRefused
from scoring.models import Outcome, Result, Ruling
from scoring.services.locking import lock_session
from scoring.services.recompute import enqueue_recomputation
from scoring.services.score_checks import check_play_can_be_scored, check_scores_can_change
from scoring.standings_engine.remedies import build_remedy, get_scoring_unit
from server.models import User
from server.numbers import parse_exact_number
from tournaments.models import Entry, Session, Sitting
from tournaments.services.groundwork.revisions import increment_revisions

ExactNumber = Fraction | int | str | None
_FIELDS_BY_KIND = {
    Ruling.Kind.REVOKE: ("side", "revokes", "won_before", "full", "claimed_at"),
    Ruling.Kind.ADJUSTED: ("ns_tricks", "ew_tricks"),
    Ruling.Kind.PENALTY: ("amount",),
}
_HISTORY_FIELDS = (
    *("side", "revokes", "won_before", "full", "ns_tricks", "ew_tricks", "amount"),
    *("law", "situation", "reason"),
)
_KINDS_WITH_REASON = (Ruling.Kind.ADJUSTED, Ruling.Kind.PENALTY)


class RulingFields(TypedDict, total=False):
    """The fields of a ruling other than its kind; each kind uses some of them.

    The keys are the names of the fields of the `Ruling` model.
    """

    side: str
    revokes: int | None
    won_before: int | None
    full: bool
    ns_tricks: ExactNumber
    ew_tricks: ExactNumber
    amount: ExactNumber
    trump_recorded: str
    trump_turned: str
    law: str
    situation: str
    reason: str
    claimed_at: datetime | None


@transaction.atomic
def make_ruling(
    *,
    kind: str,
    result: Result | None = None,
    sitting: Sitting | None = None,
    board_number: int | None = None,
    entry: Entry | None = None,
    session: Session | None = None,
    deal: Deal | None = None,
    by: Actor,
    **ruling_fields: Unpack[RulingFields],
) -> Ruling:
    """Make a ruling on a result (or a board at a sitting), or a penalty on an entry.

    A penalty needs `entry` and `session`. Idempotent: an equal ruling is not made twice. A new
    deal may include its cards in `deal`; the board keeps the old cards too (rules E5). Raises
    RulingRefused.
    """
    session = _lock_session_of_ruling(result.sitting if result else sitting, session)
    if kind == Ruling.Kind.PENALTY:
        ruling = _create_penalty(entry, session)
    else:
        ruling = _create_ruling_on_play(kind, result, sitting, board_number)
    _set_ruling_fields(ruling, kind, ruling_fields)
    check_scores_can_change(ruling.session, by)
    equal_ruling = _find_equal_ruling(ruling)
    if equal_ruling is not None:
        return equal_ruling
    if ruling.result is not None and ruling.result._state.adding:
        ruling.result.save()
        ruling.result_id = ruling.result.pk
    ruling.made_by, ruling.made_at = audit.format_author_key(by), timezone.now()
    ruling.user = by if isinstance(by, User) else None
    ruling.full_clean()
    ruling.save()
    if deal is not None:
        _replace_deal(ruling, deal)
    _record_history_and_recompute(ruling, "ruling.made", "ruling.withdraw", by)
    return ruling


@transaction.atomic
def repeat_ruling(*, ruling: Ruling, by: Actor) -> Ruling:
    """Make a withdrawn ruling again, as a new one; the withdrawn one remains in the history."""
    check_scores_can_change(lock_session(ruling.session_id), by)
    new_ruling = Ruling.objects.get(pk=ruling.pk)
    new_ruling.pk, new_ruling._state.adding = None, True
    new_ruling.withdrawn_by, new_ruling.withdrawn_at = "", None
    new_ruling.made_by, new_ruling.made_at = audit.format_author_key(by), timezone.now()
    new_ruling.user = by if isinstance(by, User) else None
    equal_ruling = _find_equal_ruling(new_ruling)
    if equal_ruling is not None:
        return equal_ruling
    _check_deal_not_withdrawn(new_ruling)
    new_ruling.full_clean()
    new_ruling.save()
    _record_history_and_recompute(
        new_ruling, "ruling.made", "ruling.withdraw", by, repeated_ruling=ruling
    )
    return new_ruling


@transaction.atomic
def withdraw_ruling(*, ruling: Ruling, by: Actor) -> Ruling:
    """Withdraw a ruling; it remains in the history. Idempotent."""
    session = lock_session(ruling.session_id)
    # Two directors may submit the same page at once.
    ruling = Ruling.objects.select_for_update(of=("self",)).get(pk=ruling.pk)
    if ruling.withdrawn_at is not None:
        return ruling
    check_scores_can_change(session, by)
    if ruling.kind == Ruling.Kind.NEW_DEAL:
        _check_new_deal_unused(ruling)
    ruling.withdrawn_by, ruling.withdrawn_at = audit.format_author_key(by), timezone.now()
    ruling.save(update_fields=["withdrawn_by", "withdrawn_at"])
    _record_history_and_recompute(ruling, "ruling.withdrawn", "ruling.make_again", by)
    return ruling


def draft_ruling(
    *,
    kind: str,
    result: Result | None = None,
    sitting: Sitting | None = None,
    board_number: int | None = None,
    **ruling_fields: Unpack[RulingFields],
) -> Ruling:
    """Return an unsaved ruling for a preview of its effect; raise RulingRefused."""
    ruling = _create_ruling_on_play(kind, result, sitting, board_number)
    _set_ruling_fields(ruling, kind, ruling_fields)
    return ruling


def _lock_session_of_ruling(
    ruled_sitting: Sitting | None, session: Session | None
) -> Session | None:
    """Lock the session of the ruled sitting, or `session` of a penalty, and read it again.

    Returns the current row of `session`, or None if it is None. With the lock, two submissions
    of one form run one after the other, so they make only one ruling.
    """
    if ruled_sitting is not None:
        ruled_sitting.section.session = lock_session(ruled_sitting.section.session_id)
    return session and lock_session(session.pk)


def _create_penalty(entry: Entry | None, session: Session | None) -> Ruling:
    if entry is None or session is None or entry.event_id != session.event_id:
        raise RulingRefused(_("Choose who the penalty is for."))
    return Ruling(session=session, entry=entry)


def _create_ruling_on_play(
    ruling_kind: str, result: Result | None, sitting: Sitting | None, board_number: int | None
) -> Ruling:
    """Create an unsaved ruling on a play. If the play has no result, an empty one is built."""
    if result is None:
        if sitting is None or board_number is None:
            raise RulingRefused(_("Choose the board and table of the ruling."))
        check_play_can_be_scored(sitting, sitting.section.session, board_number, None)
        result = Result.find_or_create_current_result(sitting, board_number)
        if ruling_kind == Ruling.Kind.NEW_DEAL:
            result = _find_result_of_replaced_deal(result)
    return Ruling(session=result.sitting.section.session, result=result)


def _find_result_of_replaced_deal(result: Result) -> Result:
    """If `result` belongs to a new deal, return the result of the replaced deal.

    While a new deal has no result or ruling, a second ruling of a new deal is about the same
    old deal. The first ruling may be at another table that shares the boards of the round.
    """
    if (
        result._state.adding
        and result.deal > 1
        and not _query_results_from_deal(result).exists()
    ):
        replaced_results = result.sitting.results.filter(
            board=result.board, deal=result.deal - 1
        )
        empty_result = Result(
            sitting=result.sitting,
            board=result.board,
            deal=result.deal - 1,
            outcome=Outcome.CLEARED,
        )
        return replaced_results.first() or empty_result
    return result


def _set_ruling_fields(ruling: Ruling, ruling_kind: str, ruling_fields: RulingFields) -> None:
    """Set the fields that rulings of this kind have; raise RulingRefused for missing or
    impossible values.
    """
    if ruling_kind not in Ruling.Kind.values:
        raise RulingRefused(_("Ruling “%(kind)s” not found.") % {"kind": ruling_kind})
    ruling.kind = ruling_kind
    for field_name in _FIELDS_BY_KIND.get(Ruling.Kind(ruling_kind), ()):
        field_value: Any = ruling_fields.get(field_name)
        if field_name in _EXACT_NUMBER_FIELDS:
            setattr(ruling, field_name, _format_exact_number(field_value))
        elif field_value is not None:
            setattr(ruling, field_name, field_value)
    for field_name in ("trump_recorded", "trump_turned"):
        card_text = str(ruling_fields.get(field_name, ""))
        setattr(ruling, field_name, Card.parse(card_text).code if card_text.strip() else "")
    for field_name in ("law", "situation", "reason"):
        setattr(ruling, field_name, " ".join(str(ruling_fields.get(field_name, "")).split()))
    _check_ruling_fields(ruling)


_EXACT_NUMBER_FIELDS = ("ns_tricks", "ew_tricks", "amount")


def _check_ruling_fields(ruling: Ruling) -> None:
    if ruling.kind == Ruling.Kind.REVOKE:
        if ruling.side not in Ruling.Side.values:
            raise RulingRefused(_("Choose the side that revoked: N-S or E-W."))
        if ruling.revokes is None or ruling.won_before is None:
            raise RulingRefused(
                _("Enter the number of revokes and the tricks that side won before the first.")
            )
    if not ruling.reason and (ruling.full or ruling.kind in _KINDS_WITH_REASON):
        raise RulingRefused(_("Enter a reason. It’s shown next to the score."))
    scoring_unit = get_scoring_unit(ruling.session.event)
    build_remedy(ruling, scoring_unit)  # raises for numbers that are impossible for a deal


def _format_exact_number(value: ExactNumber) -> str:
    """Format a number as an exact fraction, as in the database: "7" or "13/2"."""
    try:
        exact_number = parse_exact_number("" if value is None else value)
    except ValueError as error:
        raise RulingRefused(
            _("“%(value)s” isn’t a number. Enter it like 7, 6.5 or 13/2.")
            % {"value": "" if value is None else str(value)[:20]}
        ) from error
    # The file format of events has the same limit.
    if max(abs(exact_number.numerator), exact_number.denominator) >= 10**6:
        raise RulingRefused(
            _("“%(value)s” has too many digits. Enter it like 7, 6.5 or 13/2.")
            % {"value": str(value)[:20]}
        )
    return str(exact_number)


def _find_equal_ruling(ruling: Ruling) -> Ruling | None:
    """Return an identical ruling in force (from a form that was submitted twice), or None."""
    if ruling.result is not None and ruling.result._state.adding:
        return None
    skipped_fields = {
        "id",
        "made_by",
        "made_at",
        "user",
        "withdrawn_by",
        "withdrawn_at",
        "claimed_at",
    }
    compared_fields = {
        model_field.attname: getattr(ruling, model_field.attname)
        for model_field in Ruling._meta.concrete_fields
        if model_field.name not in skipped_fields
    }
    return Ruling.objects.exclude_withdrawn().filter(**compared_fields).first()


def _check_new_deal_unused(ruling: Ruling) -> None:
    """Raise RulingRefused if a new deal to be withdrawn already has a result or a ruling.

    The result or ruling may be at another table that shares the boards of the round.
    """
    assert ruling.result is not None
    new_deal_results = Result.query_round_results(
        ruling.result.sitting.section_id, ruling.result.sitting.round, ruling.result.board
    ).filter(deal__gt=ruling.result.deal)
    if new_deal_results.exclude(outcome=Outcome.CLEARED).exists():
        raise RulingRefused(_("The redeal already has a score. Clear that score first."))
    if new_deal_results.filter(ruling_count__gt=0).exists():
        raise RulingRefused(_("The redeal already has a ruling. Withdraw that ruling first."))


def _check_deal_not_withdrawn(ruling: Ruling) -> None:
    """Raise RulingRefused for a ruling on a new deal that has been withdrawn."""
    result = ruling.result
    if (
        result is not None
        and result.deal
        > Result.find_or_create_current_result(result.sitting, result.board).deal
    ):
        raise RulingRefused(_("This ruling’s redeal was undone."))


def _query_results_from_deal(result: Result) -> QuerySet[Result]:
    """Return the results of this board in this round, for this deal and later redeals.

    Rows without a result or ruling are excluded.
    """
    round_results = Result.query_round_results(
        result.sitting.section_id, result.sitting.round, result.board
    ).filter(deal__gte=result.deal)
    return round_results.exclude(outcome=Outcome.CLEARED, ruling_count=0)


def _replace_deal(ruling: Ruling, deal: Deal) -> None:
    board_set = ruling.session.board_set
    if ruling.kind != Ruling.Kind.NEW_DEAL or ruling.result is None or board_set is None:
        raise RulingRefused(_("A redeal only changes the cards if the boards were recorded."))
    boards.services.replace_deal(
        board_set=board_set, board_number=ruling.result.board, deal=deal
    )


def _record_history_and_recompute(
    ruling: Ruling,
    action: str,
    undo_action: str,
    by: Actor,
    *,
    repeated_ruling: Ruling | None = None,
) -> None:
    """Record the ruling in the history, and enqueue the recomputation of the standings.

    `repeated_ruling` is the withdrawn ruling that this one repeats.
    """
    session = ruling.session
    undo_subjects = tuple(
        f"ruling {changed_ruling.pk}"
        for changed_ruling in (ruling, repeated_ruling)
        if changed_ruling
    )
    audit.record(
        by,
        action,
        subject=session.event,
        where=_build_history_location(ruling),
        before=_build_history_data(ruling) if ruling.withdrawn_at else {},
        after={} if ruling.withdrawn_at else _build_history_data(ruling),
        undo=Undo(undo_subjects, undo_action, {"ruling": ruling.pk}),
    )
    increment_revisions(session)
    enqueue_recomputation(session.event)


def _build_history_location(ruling: Ruling) -> AuditData:
    if ruling.result is not None:
        return ruling.result.history_location
    assert ruling.entry is not None  # a ruling without a result is a penalty
    return {"entry": ruling.entry.number, "name": ruling.entry.name}


def _build_history_data(ruling: Ruling) -> AuditData:
    """Return the data of a ruling for the history: codes and numbers, but no cards."""
    field_values = {field_name: getattr(ruling, field_name) for field_name in _HISTORY_FIELDS}
    history_values = {
        field_name: field_value
        for field_name, field_value in field_values.items()
        if field_value not in ("", None, False)
    }
    if ruling.claimed_at is not None:
        history_values["claimed_at"] = ruling.claimed_at.isoformat()
    return {"ruling": {"kind": str(ruling.kind), **history_values}}
