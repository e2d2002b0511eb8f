"""The page on which people check in at a table, for phones with the table's link."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from boards.whist import WhistError
from clubs.errors import AlreadyCheckedIn, CheckInRefused
from clubs.evenings.check_in_names import (
    find_person,
    has_enough_letters,
    list_offered_players,
)
from clubs.evenings.first_seats import SEATS, Chair
from clubs.evenings.services import NewCheckIn, check_in, check_out
from clubs.evenings.tables import RequestResult, TableKind, build_table_guest
from clubs.models import BookedPerson, CheckIn, Evening, Player, TableLink
from hall.check_in.kinds import CheckInKind
from hall.check_in.registry import find_kind
from hall.check_in.sheets import list_seat_outcomes
from server.fragments import HTMX_HEADER
from server.numbers import parse_number_or_zero, parse_whole_number

NAME_FIELDS = ("name", "partner")
GUEST = "guest"
"""The value of the choice that a typed name is a new guest."""


class NameChoiceNeeded(CheckInRefused):
    """A typed name that may be one of the offered players; the page shows the choice."""

    code = "choose_name"


@dataclass(frozen=True, slots=True)
class Offer:
    """A name that the page offers; `value` has the keys of one player or of a booked pair."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class NameField:
    """A form field for a name, with the typed text and the names offered for it."""

    name: str
    label: str
    typed: str
    offers: Sequence[Offer]
    chosen: str

    @property
    def has_no_offers(self) -> bool:
        """Whether enough letters were typed, but no name can be offered for them."""
        return not self.offers and has_enough_letters(self.typed)


def _find_links(token: str) -> QuerySet[TableLink]:
    rows = TableLink.filter_by_token(token).order_by("pk")
    return rows.select_related(
        "evening__club",
        "evening__session__event",
        "evening__drive__club",
        "evening__rubber_night__club",
    )


def _find_open_links(token: str) -> QuerySet[TableLink]:
    return _find_links(token).filter(evening__check_in_state=Evening.CheckInState.OPEN)


def _is_over(_link: TableLink) -> bool:
    return False


def _process_request(link: TableLink, sent: QueryDict) -> RequestResult:
    """Check in one or two people, or remove a person who leaves."""
    kind = find_kind(link.evening)
    by = build_table_guest(str(link.table))
    about = kind.get_subject(link.evening)
    if sent.get("act") == "leave":
        key = parse_number_or_zero(sent.get("person", ""))
        own_check_ins = CheckIn.objects.filter(evening=link.evening, table=link.table, pk=key)
        check_out(
            evening=link.evening,
            people=list(own_check_ins.values_list("pk", flat=True)),
            subject=about,
            by=by,
        )
        return RequestResult()
    chair = _read_chair(link, sent)
    people = _read_people(link, kind, chair, sent)
    check_in(
        evening=link.evening,
        people=people,
        may_move=bool(sent.get("move")),
        subject=about,
        by=by,
    )
    return RequestResult()


def _read_chair(link: TableLink, sent: QueryDict) -> Chair:
    seat = parse_whole_number(sent.get("seat", ""), maximum=max(SEATS))
    if seat not in SEATS:
        raise CheckInRefused(_("Choose a seat."))
    return Chair(link.table, seat)


def _read_people(
    link: TableLink, kind: CheckInKind, chair: Chair, sent: QueryDict
) -> list[NewCheckIn]:
    """Return the people of the form: one, or two partners who sit opposite each other."""
    evening = link.evening
    has_partners = kind.has_partners(evening)
    pair = _read_booked_pair(evening, sent.get("pick-name", "")) if has_partners else []
    if pair:
        return [
            NewCheckIn(player=player, chair=each)
            for player, each in zip(pair, (chair, chair.opposite), strict=True)
        ]
    fields = NAME_FIELDS if has_partners and sent.get("partner", "").strip() else ("name",)
    chairs = (chair, chair.opposite)
    return [
        replace(_read_person(evening, field, sent), chair=each)
        for field, each in zip(fields, chairs, strict=False)
    ]


def _read_person(evening: Evening, field: str, sent: QueryDict) -> NewCheckIn:
    """Return the person of a field: an offered player, the player with this name, or a guest.

    Raises NameChoiceNeeded if the name may be that of an offered player.
    """
    typed, picked = sent.get(field, ""), sent.get(f"pick-{field}", "")
    if picked and picked != GUEST:
        for player in _get_public_players(evening, [picked]):
            if player in list_offered_players(evening.club, typed):
                return NewCheckIn(player=player)
    name, known = find_person(evening.club, typed)
    if known is None and picked != GUEST and list_offered_players(evening.club, typed):
        raise NameChoiceNeeded(_("Choose your name, or “New guest”."))
    return NewCheckIn(name=name, player=known)


def _read_booked_pair(evening: Evening, picked: str) -> list[Player]:
    """Return the two players of a booking that the page offered, or an empty list."""
    keys = picked.split("-")
    players = _get_public_players(evening, keys) if len(keys) == 2 else []
    if len(players) != 2 or picked not in _list_booked_pairs(evening, players):
        return []
    return players


def _get_public_players(evening: Evening, keys: Iterable[str]) -> list[Player]:
    """Return players of the club with a public name, in the order of the keys."""
    numbers = [parse_number_or_zero(key) for key in keys]
    rows = Player.objects.filter(
        club=evening.club_id, shown=Player.Shown.NAME, forgotten_on=None, pk__in=numbers
    )
    return sorted(rows, key=lambda player: numbers.index(player.pk))


def _list_booked_pairs(evening: Evening, players: Sequence[Player]) -> dict[str, str]:
    """Return the pairs with a public name in which these players are booked, by offer value."""
    mine = BookedPerson.objects.filter(fixture__evening=evening, player__in=players)
    people = BookedPerson.objects.filter(
        booking__in=mine.values("booking"),
        player__shown=Player.Shown.NAME,
        player__forgotten_on=None,
    ).select_related("player")
    bookings: dict[int, list[Player]] = {}
    for person in people:
        if person.player is not None:
            bookings.setdefault(person.booking_id, []).append(person.player)
    booked_pairs = {}
    for pair in bookings.values():
        for player, other in (pair, pair[::-1]) if len(pair) == 2 else ():
            if player in players:
                booked_pairs[f"{player.pk}-{other.pk}"] = f"{player.name} & {other.name}"
    return booked_pairs


def list_offers(evening: Evening, typed: str, *, with_pairs: bool) -> list[Offer]:
    """Return the names to offer for a typed one: booked pairs, then single players."""
    players = list_offered_players(evening.club, typed)
    if not players:
        return []
    pairs = _list_booked_pairs(evening, players) if with_pairs else {}
    words = _("%(names)s (booked)")
    offers = [Offer(value, words % {"names": names}) for value, names in pairs.items()]
    return offers + [Offer(str(player.pk), player.name) for player in players]


def _show_page(
    request: HttpRequest, link: TableLink, problem: WhistError | None
) -> HttpResponse:
    evening = link.evening
    token = request.resolver_match.kwargs["token"] if request.resolver_match else ""
    if evening.check_in_state == Evening.CheckInState.UNUSED:
        return redirect("table", token)
    if request.resolver_match and request.resolver_match.url_name == "table":
        return redirect("table_check_in", token)
    kind = find_kind(evening)
    context = {
        "club": evening.club,
        "name": str(kind.get_subject(evening)),
        "table": link.table,
        "token": token,
        "problem": str(problem) if problem else "",
        "may_move": isinstance(problem, AlreadyCheckedIn),
    }
    is_fragment = HTMX_HEADER in request.headers
    values = request.POST if problem else request.GET
    seat = parse_whole_number(values.get("seat", ""), maximum=max(SEATS))
    if evening.check_in_state == Evening.CheckInState.OPEN and seat in SEATS:
        context |= _build_form(kind, evening, seat, values)
        template = "_names.html" if is_fragment else "phone_form.html"
    else:
        context |= _build_seats(kind, link)
        template = "_seats.html" if is_fragment else "phone.html"
    status = 400 if problem else 200
    return render(request, f"hall/check_in/{template}", context, status=status)


def _build_form(
    kind: CheckInKind, evening: Evening, seat: int, values: QueryDict
) -> dict[str, object]:
    """Return the fields of the form; a fragment shows the offers of the field it was sent."""
    has_partners = kind.has_partners(evening)
    labels = {"name": _("Your name"), "partner": _("Partner’s name (optional)")}
    fields = [
        NameField(
            name=name,
            label=labels[name],
            typed=values.get(name, "")[:80],
            offers=list_offers(
                evening,
                values.get(name, "")[:80],
                with_pairs=has_partners and name == "name",
            ),
            chosen=values.get(f"pick-{name}", ""),
        )
        for name in (NAME_FIELDS if has_partners else ("name",))
    ]
    sent = next((field for field in fields if field.name in values), fields[0])
    return {
        "seat": seat,
        "seat_label": kind.format_seat(seat),
        "fields": fields,
        "field": sent,
    }


def _build_seats(kind: CheckInKind, link: TableLink) -> dict[str, object]:
    evening = link.evening
    rows = list(evening.check_ins.filter(table=link.table))
    by_seat = {row.seat: row for row in rows}
    is_started = evening.check_in_state == Evening.CheckInState.STARTED
    return {
        "chairs": [
            (seat, kind.seat_positions[seat], kind.format_seat(seat), by_seat.get(seat))
            for seat in SEATS
        ],
        "is_started": is_started,
        "is_used": bool(rows),
        "outcomes": list_seat_outcomes(kind, evening, rows) if is_started else [],
    }


def _build_closed_context(link: TableLink) -> dict[str, object]:
    return {"club": link.evening.club, "table": link.table}


CHECK_IN_PAGE = TableKind(
    find_links=_find_links,
    lock_lookup="evening",
    is_over=_is_over,
    process_request=_process_request,
    build_data=None,
    render_page=_show_page,
    build_closed_context=_build_closed_context,
    closed_template="hall/check_in/gone.html",
    closed_message=gettext_lazy("Check-in is over."),
    revoked_message=gettext_lazy("The director has cancelled this QR code. Ask for a new one."),
)
"""The check-in page of a table, before the start and after it."""

OPEN_CHECK_IN = replace(CHECK_IN_PAGE, find_links=_find_open_links)
"""The same for the table's own URL, as long as people check in."""
