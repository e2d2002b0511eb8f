"""The results of a session that the director has to check, each with its buttons."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from hall.phones.disputes import Dispute, list_disputes
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.doubts import QueriedResult, SessionDoubts
from scoring.sheets.score_slips import format_score_page_query
from tournaments.event_access import EventAccess
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class ActionButton:
    """A button on the page: a link, or a form with its hidden fields."""

    label: str
    url: str
    fields: tuple[tuple[str, str], ...] = ()  # empty for a link


@dataclass(frozen=True, slots=True)
class ResultToCheck:
    """A result to check: its table and board, the reason, and the buttons for a decision."""

    location: str
    text: str
    buttons: tuple[ActionButton, ...]


def list_results_to_check(
    access: EventAccess, snapshot: SessionSnapshot, session_doubts: SessionDoubts
) -> tuple[ResultToCheck, ...]:
    """Return the results to check; disputed ones come first, because their tables wait."""
    is_open = snapshot.session.state == Session.State.OPEN
    return (
        *(
            _build_dispute_check(access, dispute)
            for dispute in (list_disputes(snapshot, snapshot.tables) if is_open else ())
        ),
        *(
            ResultToCheck(
                queried_result.location,
                queried_result.text,
                build_queried_result_buttons(access, queried_result) if is_open else (),
            )
            for queried_result in session_doubts.queried_results
        ),
    )


def build_queried_result_buttons(
    access: EventAccess, queried_result: QueriedResult
) -> tuple[ActionButton, ...]:
    """Return the buttons for a queried result: swap the sides, confirm or correct."""
    doubt_url = reverse("result_doubt", args=[access.address])
    form_fields: dict[str, object] = {
        "sitting": queried_result.sitting_id,
        "board": queried_result.board_number,
    }
    keep_button = ActionButton(
        _("Keep %(tricks)s") % {"tricks": queried_result.typed_tricks},
        doubt_url,
        build_form_fields(form_fields | {"act": "keep"}),
    )
    score_page_query = format_score_page_query(
        "board", f"doubt-{queried_result.sitting_id}-{queried_result.board_number}"
    )
    correct_button = ActionButton(
        _("Correct score"), reverse("scores", args=[access.address]) + score_page_query
    )
    if not queried_result.swapped_tricks:
        return (keep_button, correct_button)
    swap_label = _("Swap sides: %(tricks)s") % {"tricks": queried_result.swapped_tricks}
    return (
        ActionButton(swap_label, doubt_url, build_form_fields(form_fields | {"act": "swap"})),
        keep_button,
        correct_button,
    )


def build_form_fields(field_values: dict[str, object]) -> tuple[tuple[str, str], ...]:
    """Return the hidden fields of a form as pairs of name and value.

    The field "back" makes the view redirect to the room page.
    """
    hidden_fields = {name: str(value) for name, value in field_values.items()}
    return tuple((hidden_fields | {"back": "room"}).items())


def _build_dispute_check(access: EventAccess, dispute: Dispute) -> ResultToCheck:
    section_letter, table_number = dispute.table_key
    sentences = [
        _("%(who)s entered %(made)s.") % {"who": source_name, "made": entered_score}
        for source_name, entered_score in dispute.entered_values
    ]
    table_url = reverse("room_table", args=[access.address, table_number])
    doubt_url = reverse("result_doubt", args=[access.address])
    form_fields = {
        "sitting": dispute.sitting_pk,
        "board": dispute.board_number,
        "seen": dispute.mark,
    }
    choice_buttons = [
        ActionButton(
            score_text,
            doubt_url,
            build_form_fields(form_fields | {"act": "settle", "mark": mark}),
        )
        for score_text, mark in dispute.choices
    ]
    return ResultToCheck(
        location=_("Board %(board)s, table %(table)s")
        % {"board": dispute.board_number, "table": dispute.table_label},
        text=" ".join((_("Scores don’t agree."), *sentences)),
        buttons=(
            *choice_buttons,
            ActionButton(_("Open table"), f"{table_url}?section={section_letter}"),
        ),
    )
