"""The trump rule of an event: turned up as in the laws, or declared if all players agree."""

from django.db import transaction
from django.utils.translation import gettext as _

import boards.services
from boards.models import Board, BoardSet
from clubs import audit
from clubs.activities.services import lock_activity
from clubs.audit import Actor, Undo
from tournaments.errors import InvalidTrumps
from tournaments.models import Event


@transaction.atomic
def set_trumps(*, event: Event, trumps: str, is_agreed: bool, by: Actor) -> Event:
    """Set how trumps are determined in an event; `is_agreed` means that every player agrees.

    If no card is turned up, best play is computed for every suit. Raises InvalidTrumps if not
    everyone agrees, or if boards have no turn-up to return to.

    Source: Law IV §11; rules B8.
    """
    # Load the event again, because another request may have changed it. The history needs the
    # value that is really replaced.
    event = lock_activity(event)
    if trumps not in Event.Trumps.values:
        raise InvalidTrumps(_("Choose trumps: turned up, declared, or one suit."))
    if trumps == event.trumps:
        return event
    if trumps == Event.Trumps.TURNED:
        _check_turn_ups(event)
    elif event.other_suits and trumps == Event.Trumps.DECLARED:
        raise InvalidTrumps(_("Turn off “Second play in other suits” first."))
    elif not is_agreed:
        raise InvalidTrumps(
            _(
                "Trumps may be declared only if every player in the match "
                "agrees (Law IV §11). Ask them, then tick the box."
            )
        )
    old_trumps, event.trumps = event.trumps, trumps
    event.save(update_fields=["trumps"])
    for session in event.sessions.exclude(board_set=None).select_related("board_set"):
        queue_every_suit_analysis(event, session.board_set)
    audit.record(
        by,
        "trumps.agreed",
        subject=event,
        before={"trumps": old_trumps},
        after={"trumps": trumps, "agreed": is_agreed},
        undo=Undo(("event trumps",), "trumps.agree", {"trumps": old_trumps}),
    )
    return event


def queue_every_suit_analysis(event: Event, board_set: BoardSet | None) -> None:
    """Request the computation of best play in every suit, unless a card is turned up."""
    if board_set is not None and not event.has_turn_up:
        boards.services.queue_best_play_tables(board_set=board_set)


def _check_turn_ups(event: Event) -> None:
    boards = Board.objects.current().filter(board_set__sessions__event=event, turn_up="")
    boards_without_turn_up = sorted(boards.values_list("number", flat=True))
    if boards_without_turn_up:
        raise InvalidTrumps(
            _("No card was turned on board %(boards)s, so trumps can’t be turned up.")
            % {"boards": ", ".join(map(str, boards_without_turn_up))}
        )
