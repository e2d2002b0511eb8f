"""Services for challenges: an entry disputes a result, and the director decides."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.errors import EntryConflict
from hall.models import Challenge
from scoring.errors import PlayNotFound
from scoring.models import Result, ResultVersion
from scoring.services.results import lock_changeable_result, record_result
from scoring.services.undo_results import check_deal_not_replaced
from server.dates import format_date
from tournaments.errors import ActionUnavailable
from tournaments.models import Entry, EntryLink, Event, Session, Sitting


@transaction.atomic
def create_entry_links(*, event: Event, by: Actor) -> int:
    """Create a private link for each entry that has none; return the number of new links."""
    event = Event.objects.select_for_update().get(pk=event.pk)  # a second click must wait
    links = list(EntryLink.objects.filter(entry__event=event, revoked_at__isnull=True))
    linked_entry_pks = {link.entry_id for link in links if link.path}
    for link in links:
        if not link.path:
            link.revoke()
    entries_without_link = [
        entry for entry in event.entries.all() if entry.pk not in linked_entry_pks
    ]
    new_links = [EntryLink.create_link(entry=entry) for entry in entries_without_link]
    if new_links:
        undo_arguments = {"links": [entry_link.pk for entry_link in new_links]}
        undo = Undo(_format_undo_subjects(new_links), "entry_links.revoke", undo_arguments)
        new_values = {"count": len(new_links)}
        audit.record(by, "entry_links.made", subject=event, after=new_values, undo=undo)
    return len(entries_without_link)


@transaction.atomic
def revoke_entry_link(*, link: EntryLink, by: Actor) -> EntryLink:
    """Revoke the private link of an entry."""
    if link.revoked_at is None:
        link.revoke()
        entry, undo = link.entry, Undo(_format_undo_subjects([link]))
        act_location = {"entry": entry.number, "name": entry.name}
        audit.record(
            by, "entry_link.revoked", subject=entry.event, where=act_location, undo=undo
        )
    return link


def find_entry_link(token: str) -> EntryLink | None:
    """Return the valid entry link with the given token, or None."""
    link = EntryLink.find_by_token(token, "entry__event__club")
    return link if link and link.is_live(timezone.now()) else None


@transaction.atomic
def challenge_result(*, entry: Entry, result: Result, ns_tricks: int) -> Challenge:
    """Record an entry's claim that one of its results is wrong; idempotent.

    Raises ActionUnavailable outside the club's period for corrections, or if the board was
    dealt again after the result. Raises PlayNotFound if the result belongs to other entries.
    """
    result = Result.objects.select_for_update(of=("self",)).get(pk=result.pk)
    check_correction_period(result.sitting.section.session)
    if (
        entry.pk
        not in _load_entry_pks_by_side(result.sitting)[0]
        | _load_entry_pks_by_side(result.sitting)[1]
    ):
        raise PlayNotFound(_("You didn’t play that board."))
    check_deal_not_replaced(result)
    if result.ns_points is not None:
        raise PlayNotFound(
            _("This event is scored in points. Ask the director to correct this score.")
        )
    if not 0 <= ns_tricks <= 13 or str(ns_tricks) == result.mark:
        raise PlayNotFound(_("Enter 0–13. It must differ from the recorded score."))
    open_challenge = Challenge.objects.filter(result=result, decided_at__isnull=True).first()
    if open_challenge is None:
        return Challenge.objects.create(
            result=result,
            entry=entry,
            ns_tricks=ns_tricks,
            was=result.mark,
            asked_at=timezone.now(),
        )
    if (open_challenge.entry_id, open_challenge.ns_tricks) != (entry.pk, ns_tricks):
        raise ActionUnavailable(_("This board is already queried. Wait for the answer."))
    return open_challenge


@transaction.atomic
def answer_challenge(*, entry: Entry, challenge: Challenge, has_agreed: bool) -> Challenge:
    """Record whether the opponents agree with a challenge."""
    challenge = Challenge.objects.select_for_update(of=("self",)).get(pk=challenge.pk)
    if entry.pk not in list_opponent_entry_pks(challenge):
        raise PlayNotFound(_("This query is for another pair."))
    if challenge.decided_at is None:
        challenge.agreed = has_agreed
        challenge.save(update_fields=["agreed"])
    return challenge


@transaction.atomic
def decide_challenge(*, challenge: Challenge, is_approved: bool, by: Actor) -> Challenge:
    """Accept a challenge and correct the result, or reject the challenge.

    The director may accept a challenge before the opponents reply, because the opponents
    may have left.
    Raises ActionUnavailable if the opponents denied the challenge, or if a new deal of the
    board was ordered. Raises EntryConflict if the result has changed since the challenge.
    """
    challenge = Challenge.objects.select_for_update(of=("self",)).get(pk=challenge.pk)
    if challenge.decided_at is not None:
        return challenge
    result = challenge.result
    if is_approved and challenge.agreed is False:
        raise ActionUnavailable(
            _("The other side doesn’t agree. To change the score, use Scores.")
        )
    if is_approved:
        result = lock_changeable_result(result, by)  # a new deal may have been ordered
        check_deal_not_replaced(result)
    if is_approved and result.mark != challenge.was:
        raise EntryConflict(
            _("Board %(board)s has changed since the query.") % {"board": result.board},
            current_value=result.mark,
            by="",
        )
    if is_approved:
        record_result(
            sitting=result.sitting,
            board_number=result.board,
            mark=str(challenge.ns_tricks),
            seen_score=challenge.was,
            by=by,
        )
    challenge.approved, challenge.decided_at = is_approved, timezone.now()
    challenge.decided_by = audit.format_author_key(by)
    challenge.save(update_fields=["approved", "decided_at", "decided_by"])
    audit.record(
        by,
        _get_approval_action(challenge) if is_approved else "challenge.declined",
        subject=challenge.entry.event,
        where=result.history_location,
        before={"mark": challenge.was},
        after={"mark": str(challenge.ns_tricks)},
        undo=Undo(_build_subject(challenge), "challenge.reopen", {"challenge": challenge.pk}),
    )
    return challenge


def _get_approval_action(challenge: Challenge) -> str:
    return "challenge.approved" if challenge.agreed else "challenge.unanswered"


@transaction.atomic
def reopen_challenge(*, challenge: Challenge, by: Actor) -> Challenge:
    """Undo the decision about a challenge, and restore the score before the correction.

    Afterwards the challenge is open again. Raises EntryConflict if the result has changed
    since the decision. Raises ActionUnavailable if the board has another open challenge, or was
    dealt again.
    """
    challenge = Challenge.objects.select_for_update(of=("self",)).get(pk=challenge.pk)
    result = challenge.result
    if result.challenges.filter(decided_at__isnull=True).exists():
        raise ActionUnavailable(_("This board is already queried. Wait for the answer."))
    if challenge.approved:
        result = lock_changeable_result(result, by)
        check_deal_not_replaced(result)
        record_result(
            sitting=result.sitting,
            board_number=result.board,
            mark=challenge.was,
            seen_score=str(challenge.ns_tricks),
            by=by,
            channel=ResultVersion.InputChannel.UNDO,
        )
    challenge.approved, challenge.decided_at, challenge.decided_by = None, None, ""
    challenge.save(update_fields=["approved", "decided_at", "decided_by"])
    audit.record(
        by,
        "challenge.reopened",
        subject=challenge.entry.event,
        where=result.history_location,
        before={"mark": str(challenge.ns_tricks)},
        after={"mark": challenge.was},
        undo=Undo(_build_subject(challenge)),
    )
    return challenge


def _format_undo_subjects(links: Sequence[EntryLink]) -> tuple[str, ...]:
    return tuple(f"entry link {link.pk}" for link in links)


def _build_subject(challenge: Challenge) -> tuple[str]:
    return (f"challenge {challenge.pk}",)


def check_correction_period(session: Session) -> None:
    """Raise ActionUnavailable if the club's period for corrections of the session is over."""
    deadline = session.corrections_end
    if deadline is None:
        raise ActionUnavailable(
            _("The session is still in play. Call the director to your table.")
        )
    if deadline <= timezone.now():
        deadline_text = format_date(deadline, "SHORT_DAY_MONTH_TIME")
        raise ActionUnavailable(
            _(
                "The deadline was %(until)s, so this score stays. Still "
                "unhappy? Speak to the director."
            )
            % {"until": deadline_text}
        )


def list_opponent_entry_pks(challenge: Challenge) -> set[int]:
    """Return the primary keys of the entries that played against the challenging entry."""
    ns_entry_pks, ew_entry_pks = _load_entry_pks_by_side(challenge.result.sitting)
    return ew_entry_pks if challenge.entry_id in ns_entry_pks else ns_entry_pks


def _load_entry_pks_by_side(sitting: Sitting) -> tuple[set[int], set[int]]:
    entry_pks = Sitting.objects.filter(pk=sitting.pk).values_list(
        "north__entry", "south__entry", "east__entry", "west__entry"
    )[0]
    return set(entry_pks[:2]) - {None}, set(entry_pks[2:]) - {None}
