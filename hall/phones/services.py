"""The services for the phones of a session's tables: links and requests."""

from contextlib import suppress

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import QueryDict
from django.utils.translation import gettext as _

import clubs.evenings.services
from boards.whist.seats import Side
from clubs.audit import Actor, AuditData, GuestAuthor
from clubs.errors import ActionUnavailable, EntryConflict, RoundOver
from clubs.evenings.services import call_director
from clubs.evenings.tables import HAS_NO_OPEN_CHECK_IN, RequestResult, build_table_author
from clubs.models import DirectorCall, TableLink
from hall.phones.own_table import (
    OwnTable,
    check_seats,
    compute_result_signature,
    load_own_table,
)
from scoring.errors import PlayNotFound
from scoring.models import ResultVersion
from scoring.services import (
    NewScore,
    confirm_result_in_snapshot,
    record_result_in_snapshot,
)
from scoring.session_snapshot import SeatedTable
from server.numbers import parse_whole_number
from tournaments.models import Section, Session, Sitting
from tournaments.models.seating import has_several_sections
from tournaments.movements.formatting import format_table


@transaction.atomic
def create_table_links(
    *, session: Session, by: Actor, table_key: tuple[int, int] | None = None
) -> list[TableLink]:
    """Create the missing links of a session's tables, and return the new links.

    With `table_key` (section and table), create only that table's link. Raises
    ActionUnavailable without a movement, or if the session is closed.
    """
    session = (  # locked, because another screen may close it
        Session.objects.select_for_update(of=("self",))
        .select_related("evening", "event")
        .get(pk=session.pk)
    )
    if session.state == Session.State.CLOSED:
        raise ActionUnavailable(_("The session is closed. Table pages are closed too."))
    sittings = Sitting.objects.filter(section__session=session)
    if table_key is not None:
        sittings = sittings.filter(section=table_key[0], table=table_key[1])
    sections_and_tables = sorted(set(sittings.values_list("section__letter", "table")))
    if not sections_and_tables:
        raise ActionUnavailable(_("Choose a movement first."))
    return clubs.evenings.services.create_evening_table_links(
        evening=session.evening,
        sections_and_tables=sections_and_tables,
        subject=session.event,
        by=by,
    )


def revoke_table_link(*, link: TableLink, by: Actor) -> TableLink:
    """Revoke a table's link."""
    return clubs.evenings.services.revoke_evening_table_link(
        link=link,
        act_location=_build_table_data(link),
        subject=link.evening.session.event,
        by=by,
    )


def query_session_links(token: str) -> QuerySet[TableLink]:
    """Return a queryset of the table link with a token, annotated with the data of its page.

    It is a queryset, so that one query can find the link and lock its session.
    """
    return _annotate_links(TableLink.filter_by_token(token))


def _annotate_links(links: QuerySet[TableLink]) -> QuerySet[TableLink]:
    """Restrict table links to those of sessions, and annotate them with page data.

    `several_sections` is true if the session has other sections than the link's. `called_at`
    and `answered_at` are the times of the table's last call for the director.
    """
    sections = Section.objects.filter(session=OuterRef("evening__session"))
    last_calls = DirectorCall.objects.filter(
        evening=OuterRef("evening"), section=OuterRef("section"), table=OuterRef("table")
    ).order_by("-at")
    session_links = links.filter(HAS_NO_OPEN_CHECK_IN, evening__session__isnull=False).order_by(
        "pk"
    )
    return session_links.select_related(
        "evening__club",
        "evening__session__board_set",
        "evening__session__event__club",
        "evening__session__event__terms",
    ).annotate(
        several_sections=Exists(sections.exclude(letter=OuterRef("section"))),
        called_at=Subquery(last_calls.values("at")[:1]),
        answered_at=Subquery(last_calls.values("answered_at")[:1]),
    )


def is_session_closed(link: TableLink) -> bool:
    """Return whether the session of a table's link is closed."""
    state: str = link.evening.session.state
    return state == Session.State.CLOSED


def process_request(link: TableLink, post_data: QueryDict) -> RequestResult:
    """Enter or confirm a result, or call the director, as a table's phone requested.

    The caller must hold the lock on the session in its transaction. The returned state of the
    table includes the change. Raises WhistError if the request is not valid.

    Raises RoundOver if the table has left the round. The error then does not depend on stored
    results: the players now at the table may still have its boards to play (rules D2).
    """
    if post_data.get("act") == "call":
        call_director(link=link)
        return RequestResult(
            load_own_table(_annotate_links(TableLink.objects.filter(pk=link.pk)).get())
        )
    sitting_pk, board_number = (
        parse_whole_number(post_data.get("sitting", "")),
        parse_whole_number(post_data.get("board")),
    )
    if sitting_pk is None or board_number is None:
        raise _build_no_board_error()
    own_table = load_own_table(
        link, board_group=link.evening.session.find_board_group(board_number)
    )
    table = own_table.find_seated_table(sitting_pk)
    if table is None:
        raise _build_no_board_error()
    check_seats(table, post_data.get("seats", ""))
    try:
        if post_data.get("act") == "confirm":
            return _record_confirmation(own_table, table, board_number, post_data)
        return _record_result(own_table, table, board_number, post_data)
    except EntryConflict as error:
        if own_table.has_left_round(table):
            raise _build_round_over_error() from error
        raise


def _build_no_board_error() -> PlayNotFound:
    return PlayNotFound(_("Board not found at this table. Reload the page."))


def _build_round_over_error() -> RoundOver:
    return RoundOver(_("That round is over. Ask the director to change the score."))


def _record_confirmation(
    own_table: OwnTable, table: SeatedTable, board_number: int, post_data: QueryDict
) -> RequestResult:
    """Record that the other side confirms a score.

    If the table has left the round, the response does not reveal whether this score is stored.
    """
    sitting_row, trump = (
        own_table.snapshot.sittings_by_id[table.sitting_id],
        post_data.get("trump"),
    )
    confirmed_score = NewScore(
        sitting_row, board_number, post_data.get("seen", ""), trump=trump
    )
    seen_signature, current_mark = (
        post_data.get("ticket", ""),
        own_table.snapshot.find_current_result(sitting_row, board_number).mark,
    )
    has_valid_signature = seen_signature and seen_signature == compute_result_signature(
        table.sitting_id, board_number, current_mark
    )
    if not has_valid_signature and own_table.has_left_round(table):
        with suppress(EntryConflict):
            confirm_result_in_snapshot(
                own_table.snapshot, confirmed_score, by=own_table.build_guest()
            )
        # returned instead of raised, because an exception would roll back the confirmation
        return RequestResult(own_table, _build_round_over_error())
    if confirm_result_in_snapshot(
        own_table.snapshot, confirmed_score, by=own_table.build_guest()
    ).has_changed:
        own_table.confirmed_play = (table.sitting_id, board_number)
    return RequestResult(own_table)


def _record_result(
    own_table: OwnTable, table: SeatedTable, board_number: int, post_data: QueryDict
) -> RequestResult:
    """Record a result; if the table has left the round, no stored result can be changed."""
    seen_mark, idempotency_key = post_data.get("seen", ""), post_data.get("key", "")[:40]
    if seen_mark and own_table.has_left_round(table):
        raise _build_round_over_error()
    sitting_row = own_table.snapshot.sittings_by_id[table.sitting_id]
    entered_result = record_result_in_snapshot(
        own_table.snapshot,
        NewScore(
            sitting_row,
            board_number,
            _read_submitted_result(post_data),
            seen_mark,
            _read_declaration(post_data),
        ),
        versions=own_table.versions,
        by=own_table.build_guest(post_data.get("side", "")),
        channel=ResultVersion.InputChannel.PHONE,
        request_key=idempotency_key,
    )
    is_from_this_request = entered_result.has_changed or (
        idempotency_key
        and any(
            version.key == idempotency_key
            for version in own_table.list_versions(entered_result.result)
        )
    )
    if not is_from_this_request and own_table.has_left_round(table):
        raise _build_round_over_error()
    return RequestResult(own_table)


def _read_submitted_result(post_data: QueryDict) -> str:
    """Return the submitted result, or "?" if it is empty, because a table never clears results.

    In an event scored in points, a page without JavaScript sends the result in two fields.
    """
    submitted_result = post_data.get("value", "").strip()
    if submitted_result == "points":
        submitted_result = "-".join(
            post_data.get(side_key, "").strip() or "?" for side_key in ("ns", "ew")
        )
    return submitted_result or "?"


def _read_declaration(post_data: QueryDict) -> str | None:
    """Return the code of the submitted trumps and doubling; None if the form has no trumps.

    A page without JavaScript sends the two in separate fields.
    """
    trump = post_data.get("trump")
    return trump + post_data.get("doubled", "") if trump else trump


def build_guest(link: TableLink, side_code: str = "") -> GuestAuthor:
    """Return the author that the history stores for a table's actions, or for one side's."""
    return build_table_author(format_table_label(link), side_code, sides=Side)


def format_table_label(link: TableLink) -> str:
    """Return the label of a link's table: "13", or "A13" if there are several sections."""
    return format_table(link.table, _get_section_letter(link))


def _build_table_data(link: TableLink) -> AuditData:
    """Return a link's table as history data, with the section if there are several."""
    section_letter = _get_section_letter(link)
    return {**({"section": section_letter} if section_letter else {}), "table": link.table}


def _get_section_letter(link: TableLink) -> str:
    return link.section if has_several_sections(link.evening.session.pk) else ""
