"""The director's pages of personal links: shown as a QR code, printed, e-mailed, or revoked."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs import audit, permissions
from clubs.models import Club, PersonLink, Player
from clubs.services.person_links import (
    create_person_links,
    list_valid_links,
    revoke_person_links,
)
from clubs.today import get_club_date
from clubs.views.error_messages import show_errors_as_messages
from clubs.views.undo_messages import offer_undo
from printing.identity import use_club_identity
from printing.paper import parse_paper_size
from printing.qr import create_qr_code
from seasons.people.papers import draw_link_cards
from server.downloads import PDF_CONTENT_TYPE, build_file_response
from server.errors import PageNotFound
from server.hall_network import find_phone_url

SEASON_END_MONTH, SEASON_END_DAY = 8, 31
"""The last day of the year of a club that has no current season."""
LINK_LIFETIME_AFTER_SEASON = timedelta(days=60)
MAX_SEASON_END_DELAY = timedelta(days=3 * 366)
"""The maximum time from today to the end of the season, which limits how long a link lives."""


def compute_link_expiry(club: Club) -> datetime:
    """Return the expiry of a personal link that is created today.

    The link expires sixty days after the end of the season, but at the latest after three
    years and sixty days.
    """
    today = get_club_date(club)
    current_seasons = club.seasons.filter(first_day__lte=today, last_day__gte=today)
    season_end = (
        current_seasons.order_by("-last_day").values_list("last_day", flat=True).first()
    )
    if season_end is None:
        year = today.year + (today.month > SEASON_END_MONTH)
        season_end = today.replace(year=year, month=SEASON_END_MONTH, day=SEASON_END_DAY)
    return datetime.combine(
        min(season_end, today + MAX_SEASON_END_DELAY) + LINK_LIFETIME_AFTER_SEASON, time(), UTC
    )


@never_cache
@require_http_methods(["GET", "POST"])
def edit_person_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one person's link as a QR code (GET), or create or revoke it (POST)."""
    player = permissions.get_player_for_director(request, pk)
    if request.method == "POST":
        with show_errors_as_messages(request):
            _apply_link_action(request, player)
        return redirect("person_link", pk)
    link = list_valid_links(player.club).filter(player=player).last()
    link_url = _build_link_url(request, link) if link else ""
    context = {
        "player": player,
        "link": link,
        "address": link_url,
        "code": create_qr_code(link_url) if link_url else None,
        "may_mail": _can_send_mail(player),
        "has_mail": settings.HAS_MAIL,
        "home": find_phone_url(),
    }
    return render(request, "seasons/person_link.html", context)


@require_http_methods(["GET", "POST"])
def edit_person_links(request: HttpRequest) -> HttpResponse:
    """Show how many people have a link (GET), or create links for all members (POST)."""
    club = permissions.get_directed_club(request)
    members = club.players.filter(kind=Player.Kind.MEMBER, forgotten_on=None)
    linked_players = list_valid_links(club).values("player")
    if request.method == "POST":
        members_without_link = list(members.exclude(pk__in=linked_players))
        create_person_links(
            club=club,
            players=members_without_link,
            ends_at=compute_link_expiry(club),
            by=request.user,
        )
        message = ngettext(
            "%(count)s link created.", "%(count)s links created.", len(members_without_link)
        )
        acts = audit.list_acts(club).filter(action="person_link.made")
        if not members_without_link:
            acts = acts.none()
        back_url = f"{reverse('person_links')}?club={club.slug}"
        offer_undo(request, message % {"count": len(members_without_link)}, acts, back_url)
        return redirect(back_url)
    context = {
        "club": club,
        "members": members.count(),
        "having": members.filter(pk__in=linked_players).count(),
        "ends": compute_link_expiry(club),
        "home": find_phone_url(),
    }
    return render(request, "seasons/person_links.html", context)


@never_cache
@require_safe
def download_link_cards(request: HttpRequest) -> HttpResponse:
    """Return a PDF with a card for each person who has a personal link.

    While phones cannot reach this computer no card is printed, because no link would open.
    """
    club = permissions.get_directed_club(request)
    if not find_phone_url():
        messages.error(request, _("Phones can’t connect yet. Open “Wi-Fi access” first."))
        return redirect(f"{reverse('person_links')}?club={club.slug}")
    links = list_valid_links(club).order_by("player__plain", "player", "pk")
    link_by_player = {link.player_id: link for link in links if link.path}
    if not link_by_player:
        raise PageNotFound(_("No personal links yet."))
    cards = [
        (link.player.name, _build_link_url(request, link)) for link in link_by_player.values()
    ]
    with use_club_identity(*club.paper_branding):
        pdf_bytes = draw_link_cards(club.name, cards, paper_size=parse_paper_size(request))
    return build_file_response(pdf_bytes, PDF_CONTENT_TYPE, "own-addresses.pdf", is_inline=True)


def _apply_link_action(request: HttpRequest, player: Player) -> None:
    action, club, by = request.POST.get("act", ""), player.club, request.user
    if action in ("revoke", "renew"):
        revoke_person_links(player=player, by=by)
        messages.success(request, _("Link cancelled."))
    if action in ("make", "renew"):
        create_person_links(
            club=club, players=[player], ends_at=compute_link_expiry(club), by=by
        )
        messages.success(request, _("New link created."))
    if action == "mail" and _can_send_mail(player):
        (link,) = create_person_links(
            club=club, players=[player], ends_at=compute_link_expiry(club), by=by
        )
        _send_link(player, _build_link_url(request, link))
        messages.success(request, _("Link sent by e-mail."))


def _can_send_mail(player: Player) -> bool:
    has_agreed = player.consents.filter(what="mail", given=True).exists()
    return bool(settings.HAS_MAIL and player.email and has_agreed)


def _send_link(player: Player, link_url: str) -> None:
    """E-mail the personal link to the person, with no other recipient."""
    club_name = " ".join(player.club.name.split())
    body_text = _(
        "Here is your personal page at %(club)s, with your results and the details we "
        "hold.\n\n%(address)s\n\nPlease don’t share the link."
    )
    subject = _("Your personal page at %(club)s") % {"club": club_name}
    EmailMessage(
        subject, body_text % {"club": club_name, "address": link_url}, None, [player.email]
    ).send()


def _build_link_url(request: HttpRequest, link: PersonLink) -> str:
    base_url = find_phone_url() or request.build_absolute_uri("/").rstrip("/")
    return f"{base_url}{link.path}" if link.path else ""
