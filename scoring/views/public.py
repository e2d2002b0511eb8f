"""Public pages for players, without login and cookies: standings, scorecards, travellers."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.privacy import has_public_page
from scoring import page_loaders
from scoring.secrecy import (
    can_see_hands,
    can_see_results,
    can_see_standings,
)
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets.board_page import build_board_page
from scoring.sheets.correction_notes import explain_corrections
from scoring.sheets.corrections import load_correction_log
from scoring.sheets.proofs import load_provenance
from scoring.sheets.ranks import load_rank_table, load_ranking_version
from scoring.sheets.records import load_leads
from scoring.sheets.replays import load_play_records
from scoring.sheets.room_page import build_hall_picture, list_entries
from scoring.sheets.stages import build_final_note, list_finals
from scoring.sheets.standings_page import build_standings_page, find_entry_rows
from scoring.sheets.travellers import load_scorecard, load_traveller
from scoring.sheets.values import RankTable
from scoring.standings_engine.scores import find_scoring_method
from scoring.tasks import count_late_changes
from scoring.views.cached_pages import (
    FRAGMENT_CACHE_SECONDS,
    PAGE_CACHE_SECONDS,
    cache_event_page,
)
from server.errors import PageNotFound
from server.fragments import redirect_unless_htmx
from server.numbers import parse_whole_number
from tournaments.entry_words import format_entry_count
from tournaments.event_access import EventAccess
from tournaments.models import Event, Session
from tournaments.views.states import find_state, format_state


@login_not_required
@require_safe
@cache_event_page(PAGE_CACHE_SECONDS)
def show_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event: the standings, the leaders, and the chart of the scores."""
    access = page_loaders.load_public_event(slug)
    event = access.event
    rank_table = load_visible_standings(event)
    session = page_loaders.load_session(access)
    provenance = load_provenance(session)
    should_list_entries = not (rank_table and rank_table.has_begun)
    search_text = request.GET.get("find", "").strip()[:60]
    page = build_standings_page(event, rank_table, search_text)
    context = build_frame_context(access) | {
        "table": rank_table,
        "late": count_late_changes(event.pk) if rank_table else 0,
        "page": page,
        "sought": search_text,
        "matching_rows": page.matching_rows if page else (),
        "live": event.state == Session.State.OPEN,
        "hidden_text": "" if rank_table else explain_hidden_standings(event),
        **(
            _build_participants_context(access, search_text)
            if should_list_entries
            else {"entries": []}
        ),
        "size_text": ""
        if should_list_entries or rank_table is None
        else _format_entries_and_boards(event, rank_table),
        "version": rank_table.version if rank_table else 0,
        "sealed": provenance,
        "log": load_correction_log(event),
        "note": build_final_note(event),
        "corrections": explain_corrections(session),
        "finals": list_finals(event),
        "has_prizes": event.prizes.exists(),
        "picture": request.build_absolute_uri(reverse("standings_picture", args=[slug])),
    }
    return render(request, "scoring/event.html", context)


@login_not_required
@require_safe
@redirect_unless_htmx("event")
@cache_event_page(FRAGMENT_CACHE_SECONDS, "seen")
def show_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings as a fragment.

    Return status 204 if the query parameter `seen` is the version of the current standings.
    """
    seen_version = request.GET.get("seen")
    access = page_loaders.load_public_event(slug)
    event = access.event
    is_visible = can_see_standings(event)
    late_change_count = count_late_changes(event.pk) if is_visible else 0
    if not late_change_count and seen_version == str(
        load_ranking_version(event) if is_visible else 0
    ):
        return HttpResponse(status=204)
    rank_table = load_rank_table(event) if is_visible else None
    context = build_frame_context(access) | {
        "table": rank_table,
        "late": late_change_count,
        "page": build_standings_page(event, rank_table),
        "live": event.state == Session.State.OPEN,
        "hidden_text": "" if rank_table else explain_hidden_standings(event),
        "version": rank_table.version if rank_table else 0,
    }
    return render(request, "scoring/_standings.html", context)


@login_not_required
@require_safe
def show_scorecard(request: HttpRequest, slug: str, entry_number: int) -> HttpResponse:
    """Show one entry's scorecard, board by board."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    event = access.event
    entry = get_object_or_404(event.entries.select_related("event__club"), number=entry_number)
    session = page_loaders.load_session(access)
    scorecard = load_scorecard(
        load_session_snapshot(session), entry, load_visible_standings(event)
    )
    hidden_boards_notice = ""
    if session.state == Session.State.OPEN:
        hidden_boards_notice = _(
            "A round’s boards are shown once every table has played them all."
        )
    context = build_frame_context(access) | {
        "card": scorecard,
        "opened": request.GET.get("rounds", ""),
        "picture": request.build_absolute_uri(
            reverse("card_picture", args=[slug, entry_number])
        ),
        "hidden_text": hidden_boards_notice,
        "corrections": explain_corrections(session),
        "players": [
            (player.shown_name, player.pk if has_public_page(player) else None)
            for player in entry.players.order_by("entry_memberships")
        ],
    }
    return render(request, "scoring/scorecard.html", context)


@login_not_required
@require_safe
def show_travellers(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all boards of a session."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    snapshot = load_session_snapshot(page_loaders.load_session(access))
    boards = [
        (
            board_number,
            sum(1 for table in tables if snapshot.find_result(table, board_number)),
            len(tables),
            can_see_results(snapshot, board_number),
        )
        for board_number, tables in snapshot.tables_by_board.items()
    ]
    return render(
        request, "scoring/travellers.html", build_frame_context(access) | {"boards": boards}
    )


@login_not_required
@require_safe
def show_board(request: HttpRequest, slug: str, board_number: int) -> HttpResponse:
    """Show one board: its traveller, and after the session its hands."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    event = access.event
    snapshot = load_session_snapshot(page_loaders.load_session(access))
    traveller = load_traveller(snapshot, board_number)
    if traveller is None:
        raise PageNotFound(
            _("Board %(number)s not found in this session.") % {"number": board_number}
        )
    visible_board_numbers = [
        visible_board_number
        for visible_board_number in snapshot.boards
        if can_see_results(snapshot, visible_board_number)
    ]
    own_entry_number = parse_whole_number(request.GET.get("mine"), maximum=9999)
    context = build_frame_context(access) | {
        "traveller": traveller,
        "page": build_board_page(traveller, own_entry_number),
        "mine": f"?mine={own_entry_number}" if own_entry_number is not None else "",
        "previous": max(
            (
                visible_board_number
                for visible_board_number in visible_board_numbers
                if visible_board_number < board_number
            ),
            default=None,
        ),
        "next": min(
            (
                visible_board_number
                for visible_board_number in visible_board_numbers
                if visible_board_number > board_number
            ),
            default=None,
        ),
        "hidden_text": _explain_hidden_board(snapshot, board_number),
        "corrections": explain_corrections(snapshot.session),
        "leads": load_leads(snapshot, board_number),
        "plays": load_play_records(snapshot, board_number),
        "method": find_scoring_method(event).name,
        "scores_shown": can_see_standings(event),
    }
    return render(request, "scoring/traveller.html", context)


def build_frame_context(access: EventAccess) -> dict[str, object]:
    """Return the context that every public page of an event needs."""
    event = access.event
    session_state = find_state(access.session)
    return access.context | {
        "club": event.club.name,
        "state": session_state,
        "state_text": format_state(session_state),
    }


def parse_session_number(request: HttpRequest) -> int | None:
    """Return the session number in the query string; None if the URL path has the session."""
    return parse_whole_number(request.GET.get("session"), maximum=999)


def load_visible_standings(event: Event) -> RankTable | None:
    """Return the public standings of an event; None while players may not see them."""
    return load_rank_table(event) if can_see_standings(event) else None


def _build_participants_context(access: EventAccess, search_text: str) -> dict[str, object]:
    """Return the template context of the participants, with their first seats and a room plan.

    Participants whose names match `search_text` are also listed separately.
    """
    snapshot = load_session_snapshot(page_loaders.load_session(access))
    listed_entries = list_entries(snapshot, access.event.entries.all())
    matching_rows = find_entry_rows(listed_entries, search_text)
    return {
        "entries": listed_entries,
        "sections": list(
            dict.fromkeys(
                listed_entry.section for listed_entry in listed_entries if listed_entry.section
            )
        ),
        "has_seats": any(listed_entry.seat_text for listed_entry in listed_entries),
        "plan": build_hall_picture(snapshot),
        "matching_rows": matching_rows,
        "mine": {listed_entry.entry for listed_entry in matching_rows},
    }


def _format_entries_and_boards(event: Event, rank_table: RankTable) -> str:
    """Return the size of the evening: "14 pairs, 28 boards"."""
    rank_rows = [
        rank_row for ranked_group in rank_table.fields for rank_row in ranked_group.rows
    ]
    max_board_count = max((rank_row.boards for rank_row in rank_rows), default=0)
    if not rank_table.is_final or not max_board_count:
        return format_entry_count(event, len(rank_rows))
    boards_text = ngettext("%(boards)s board", "%(boards)s boards", max_board_count) % {
        "boards": max_board_count
    }
    return f"{format_entry_count(event, len(rank_rows))}, {boards_text}"


def explain_hidden_standings(event: Event) -> str:
    """Return why players do not see the standings."""
    if event.standings_shown == Event.StandingsVisibility.NEVER:
        return _("The director isn’t showing the standings for this event.")
    if all(session.state == Session.State.PLANNED for session in event.sessions.all()):
        return _("Play hasn’t started yet.")
    if event.standings_shown == Event.StandingsVisibility.ALWAYS:
        return _(
            "Standings are shown after this session, because others "
            "still have to play its boards."
        )
    return _("Standings are shown after the session.")


def _explain_hidden_board(snapshot: SessionSnapshot, board_number: int) -> str:
    if can_see_hands(snapshot.session):
        return ""
    if not can_see_results(snapshot, board_number):
        return _(
            "This round is still being played. Its boards are shown once every table has "
            "played them."
        )
    if snapshot.session.board_set is None:
        return ""
    return _("Hands stay hidden until the session is closed.")
