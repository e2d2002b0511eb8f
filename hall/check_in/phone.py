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
    has_enough_letters,
    identify_person,
    list_suggested_players,
)
from clubs.evenings.first_seats import SEAT_NUMBERS, Chair
from clubs.evenings.services import NewCheckIn, check_in_people, check_out_people
from clubs.evenings.tables import RequestResult, TableKind, build_table_author
from clubs.models import BookedPerson, CheckIn, Evening, Player, TableLink
from hall.check_in.kinds import CheckInKind
from hall.check_in.registry import find_check_in_kind
from hall.check_in.sheets import list_seat_outcomes
from server.fragments import HTMX_HEADER
from server.numbers import parse_number_or_zero, parse_whole_number

NAME_FIELDS = ("name", "partner")
GUEST_VALUE = "guest"
"""The form value with which a user states that a typed name is a new guest."""


class NameChoiceNeeded(CheckInRefused):
    """A typed name may be that of an existing player, so the user must choose."""

    code = "choose_name"


@dataclass(frozen=True, slots=True)
class OfferedName:
    """A name that the page offers to the user."""

    value: str  # the primary key of a player, or those of a booked pair: "12-15"
    label: str


@dataclass(frozen=True, slots=True)
class NameField:
    """A form field for a name, with the typed text and the names offered for it."""

    field_name: str
    label: str
    typed_name: str
    offered_names: Sequence[OfferedName]
    chosen_value: str

    @property
    def has_no_offered_names(self) -> bool:
        """Whether enough letters were typed, but no name can be offered for them."""
        return not self.offered_names and has_enough_letters(self.typed_name)


def _find_links(token: str) -> QuerySet[TableLink]:
    table_links = TableLink.filter_by_token(token).order_by("pk")
    return table_links.select_related(
        "evening__club",
        "evening__session__event",
        "evening__drive__club",
        "evening__rubber_night__club",
    )


def _find_open_links(token: str) -> QuerySet[TableLink]:
    return _find_links(token).filter(evening__check_in_state=Evening.CheckInState.OPEN)


def _is_never_over(_link: TableLink) -> bool:
    return False


def _process_request(link: TableLink, post_data: QueryDict) -> RequestResult:
    """Check in one or two people, or remove a person who leaves."""
    kind = find_check_in_kind(link.evening)
    by = build_table_author(str(link.table))
    subject = kind.get_subject(link.evening)
    if post_data.get("act") == "leave":
        check_in_pk = parse_number_or_zero(post_data.get("person", ""))
        own_check_ins = CheckIn.objects.filter(
            evening=link.evening, table=link.table, pk=check_in_pk
        )
        check_out_people(
            evening=link.evening,
            check_in_pks=list(own_check_ins.values_list("pk", flat=True)),
            subject=subject,
            by=by,
        )
        return RequestResult()
    chair = _read_chair(link, post_data)
    people = _read_people(link, kind, chair, post_data)
    check_in_people(
        evening=link.evening,
        people=people,
        can_move=bool(post_data.get("move")),
        subject=subject,
        by=by,
    )
    return RequestResult()


def _read_chair(link: TableLink, post_data: QueryDict) -> Chair:
    seat_number = parse_whole_number(post_data.get("seat", ""), maximum=max(SEAT_NUMBERS))
    if seat_number not in SEAT_NUMBERS:
        raise CheckInRefused(_("Choose a seat."))
    return Chair(link.table, seat_number)


def _read_people(
    link: TableLink, kind: CheckInKind, chair: Chair, post_data: QueryDict
) -> list[NewCheckIn]:
    """Return the people in the submitted form: one, or two partners with opposite chairs."""
    evening = link.evening
    has_partners = kind.has_partners(evening)
    booked_players = (
        _read_booked_pair(evening, post_data.get("pick-name", "")) if has_partners else []
    )
    if booked_players:
        return [
            NewCheckIn(player=player, chair=player_chair)
            for player, player_chair in zip(
                booked_players, (chair, chair.opposite), strict=True
            )
        ]
    field_names = (
        NAME_FIELDS if has_partners and post_data.get("partner", "").strip() else ("name",)
    )
    chairs = (chair, chair.opposite)
    return [
        replace(_read_person(evening, field_name, post_data), chair=partner_chair)
        for field_name, partner_chair in zip(field_names, chairs, strict=False)
    ]


def _read_person(evening: Evening, field_name: str, post_data: QueryDict) -> NewCheckIn:
    """Return the person in a form field: a player of the club, or a guest.

    Raises NameChoiceNeeded if the name may be that of an offered player.
    """
    typed_name, offer_value = (
        post_data.get(field_name, ""),
        post_data.get(f"pick-{field_name}", ""),
    )
    if offer_value and offer_value != GUEST_VALUE:
        for offered_player in _get_public_players(evening, [offer_value]):
            if offered_player in list_suggested_players(evening.club, typed_name):
                return NewCheckIn(player=offered_player)
    name, player = identify_person(evening.club, typed_name)
    if (
        player is None
        and offer_value != GUEST_VALUE
        and list_suggested_players(evening.club, typed_name)
    ):
        raise NameChoiceNeeded(_("Choose your name, or “New guest”."))
    return NewCheckIn(name=name, player=player)


def _read_booked_pair(evening: Evening, offer_value: str) -> list[Player]:
    """Return the two players of a booking that the page offered, or an empty list."""
    pk_texts = offer_value.split("-")
    players = _get_public_players(evening, pk_texts) if len(pk_texts) == 2 else []
    if len(players) != 2 or offer_value not in _list_booked_pairs(evening, players):
        return []
    return players


def _get_public_players(evening: Evening, pk_texts: Iterable[str]) -> list[Player]:
    """Return the players with these keys whose names are public, in the order of the keys."""
    player_pks = [parse_number_or_zero(pk_text) for pk_text in pk_texts]
    players = Player.objects.filter(
        club=evening.club_id, shown=Player.Shown.NAME, forgotten_on=None, pk__in=player_pks
    )
    return sorted(players, key=lambda player: player_pks.index(player.pk))


def _list_booked_pairs(evening: Evening, players: Sequence[Player]) -> dict[str, str]:
    """Return the booked pairs of these players: names like "Ann & Bo" by `OfferedName.value`.

    Pairs with a player whose name is not public are left out.
    """
    booked_players = BookedPerson.objects.filter(fixture__evening=evening, player__in=players)
    booked_people = BookedPerson.objects.filter(
        booking__in=booked_players.values("booking"),
        player__shown=Player.Shown.NAME,
        player__forgotten_on=None,
    ).select_related("player")
    players_by_booking: dict[int, list[Player]] = {}
    for booked_person in booked_people:
        if booked_person.player is not None:
            players_by_booking.setdefault(booked_person.booking_id, []).append(
                booked_person.player
            )
    pair_names_by_value = {}
    for pair_players in players_by_booking.values():
        for player, partner in (
            (pair_players, pair_players[::-1]) if len(pair_players) == 2 else ()
        ):
            if player in players:
                pair_names_by_value[f"{player.pk}-{partner.pk}"] = (
                    f"{player.name} & {partner.name}"
                )
    return pair_names_by_value


def list_offered_names(
    evening: Evening, typed_name: str, *, should_include_pairs: bool
) -> list[OfferedName]:
    """Return the names to offer for a typed name: first booked pairs, then single players."""
    players = list_suggested_players(evening.club, typed_name)
    if not players:
        return []
    pair_names_by_value = _list_booked_pairs(evening, players) if should_include_pairs else {}
    message = _("%(names)s (booked)")
    pair_offers = [
        OfferedName(offer_value, message % {"names": pair_name})
        for offer_value, pair_name in pair_names_by_value.items()
    ]
    return pair_offers + [OfferedName(str(player.pk), player.name) for player in players]


def _show_page(
    request: HttpRequest, link: TableLink, problem: WhistError | None
) -> HttpResponse:
    evening = link.evening
    token = request.resolver_match.kwargs["token"] if request.resolver_match else ""
    if evening.check_in_state == Evening.CheckInState.UNUSED:
        return redirect("table", token)
    if request.resolver_match and request.resolver_match.url_name == "table":
        return redirect("table_check_in", token)
    kind = find_check_in_kind(evening)
    context = {
        "club": evening.club,
        "name": str(kind.get_subject(evening)),
        "table": link.table,
        "token": token,
        "problem": str(problem) if problem else "",
        "may_move": isinstance(problem, AlreadyCheckedIn),
    }
    is_fragment = HTMX_HEADER in request.headers
    form_values = request.POST if problem else request.GET
    seat_number = parse_whole_number(form_values.get("seat", ""), maximum=max(SEAT_NUMBERS))
    if evening.check_in_state == Evening.CheckInState.OPEN and seat_number in SEAT_NUMBERS:
        context |= _build_form_context(kind, evening, seat_number, form_values)
        template = "_names.html" if is_fragment else "phone_form.html"
    else:
        context |= _build_seats_context(kind, link)
        template = "_seats.html" if is_fragment else "phone.html"
    status = 400 if problem else 200
    return render(request, f"hall/check_in/{template}", context, status=status)


def _build_form_context(
    kind: CheckInKind, evening: Evening, seat_number: int, form_values: QueryDict
) -> dict[str, object]:
    """Return the template variables of the form.

    A request for a fragment sends only one field. The variable "field" is this field.
    """
    has_partners = kind.has_partners(evening)
    labels_by_field = {"name": _("Your name"), "partner": _("Partner’s name (optional)")}
    name_fields = [
        NameField(
            field_name=field_name,
            label=labels_by_field[field_name],
            typed_name=form_values.get(field_name, "")[:80],
            offered_names=list_offered_names(
                evening,
                form_values.get(field_name, "")[:80],
                should_include_pairs=has_partners and field_name == "name",
            ),
            chosen_value=form_values.get(f"pick-{field_name}", ""),
        )
        for field_name in (NAME_FIELDS if has_partners else ("name",))
    ]
    submitted_field = next(
        (name_field for name_field in name_fields if name_field.field_name in form_values),
        name_fields[0],
    )
    return {
        "seat": seat_number,
        "seat_label": kind.format_seat(seat_number),
        "fields": name_fields,
        "field": submitted_field,
    }


def _build_seats_context(kind: CheckInKind, link: TableLink) -> dict[str, object]:
    evening = link.evening
    check_ins = list(evening.check_ins.filter(table=link.table))
    check_ins_by_seat = {check_in.seat: check_in for check_in in check_ins}
    is_started = evening.check_in_state == Evening.CheckInState.STARTED
    return {
        "chairs": [
            (
                seat_number,
                kind.positions_by_seat[seat_number],
                kind.format_seat(seat_number),
                check_ins_by_seat.get(seat_number),
            )
            for seat_number in SEAT_NUMBERS
        ],
        "are_partners_opposite": kind.are_partners_opposite(evening),
        "is_started": is_started,
        "is_used": bool(check_ins),
        "outcomes": list_seat_outcomes(kind, evening, check_ins) if is_started else [],
    }


def _build_closed_context(link: TableLink) -> dict[str, object]:
    return {"club": link.evening.club, "table": link.table}


CHECK_IN_PAGE = TableKind(
    find_links=_find_links,
    locked_row_lookup="evening",
    is_over=_is_never_over,
    process_request=_process_request,
    build_data=None,
    render_page=_show_page,
    build_closed_context=_build_closed_context,
    closed_template="hall/check_in/gone.html",
    closed_message=gettext_lazy("Check-in is over."),
    revoked_message=gettext_lazy("The director has cancelled this QR code. Ask for a new one."),
)
"""The check-in page of a table, before and after the start."""

OPEN_CHECK_IN_PAGE = replace(CHECK_IN_PAGE, find_links=_find_open_links)
"""The check-in page at the URL of the table's page, for the time while check-in is open."""
