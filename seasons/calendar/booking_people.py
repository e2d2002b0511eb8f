"""Functions that find the people of a booking by typed names and membership numbers."""

from collections.abc import Iterable
from datetime import timedelta

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.errors import BookingRefused
from clubs.evenings.services import NewPerson
from clubs.models import Club, Fixture, Player
from clubs.name_folding import fold_name
from clubs.names.people import put_first_name_first, read_person_name
from clubs.names.tidy import clean_name
from server.logins.throttle import AttemptLimitReached, count_request

RATE_LIMIT_WINDOW = timedelta(hours=1)
MAX_ATTEMPTS_PER_IP, MAX_ATTEMPTS_PER_CLUB = 60, 600
"""The maximum number of bookings an hour per IP address and per club.

All phones in a hall may share one IP address.
"""
MAX_WRONG_ATTEMPTS_PER_IP, MAX_WRONG_ATTEMPTS_PER_CLUB = 15, 150
"""The maximum number of wrong names or numbers an hour per IP address and per club."""


def find_booker(
    request: HttpRequest, fixture: Fixture, name: str, membership_number: str
) -> NewPerson:
    """Return the person who makes the booking, found by the typed name and number.

    Raises BookingRefused if no player matches. The error does not reveal whether the name or
    the number is wrong.
    """
    name, membership_number = clean_name(name)[:80], membership_number.strip()[:20]
    _limit_attempts(
        request, fixture.club, "booking", MAX_ATTEMPTS_PER_IP, MAX_ATTEMPTS_PER_CLUB
    )
    if not name:
        raise BookingRefused(_("Enter your name."))
    if not membership_number and fixture.guests:
        return _build_guest(request, fixture.club, name)
    player = _find_player_by_number(fixture.club, name, membership_number)
    if player is None:
        _limit_attempts(
            request,
            fixture.club,
            "number",
            MAX_WRONG_ATTEMPTS_PER_IP,
            MAX_WRONG_ATTEMPTS_PER_CLUB,
        )
        message = _("That name and membership number don’t match. Ask the director.")
        raise BookingRefused(message)
    return NewPerson(player=player)


def _build_guest(request: HttpRequest, club: Club, name: str) -> NewPerson:
    """Return a guest with this name; refuse the name of a player with a membership number.

    Guests of earlier evenings are players without a number, so they can still book by name.
    """
    players_with_number = club.players.exclude(kind=Player.Kind.PAST_MEMBER).exclude(number="")
    if _find_player_by_name(players_with_number, name) is None:
        return NewPerson(name=read_person_name(name))
    _limit_attempts(
        request, club, "number", MAX_WRONG_ATTEMPTS_PER_IP, MAX_WRONG_ATTEMPTS_PER_CLUB
    )
    message = _(
        "The club has a player with this name. Enter the number too. Guests can add "
        "something to the name."
    )
    raise BookingRefused(message)


def find_partner(fixture: Fixture, typed_name: str, *, is_director: bool = False) -> NewPerson:
    """Return the partner with the typed name: a player of the club, or else a guest."""
    name = clean_name(typed_name)[:80]
    player = _find_player_by_name(
        fixture.club.players.exclude(kind=Player.Kind.PAST_MEMBER), name
    )
    if player is not None:
        return NewPerson(player=player, has_accepted=is_director)
    if not (fixture.guests or is_director):
        message = _("Player %(name)s not found. Enter the name as the club spells it.")
        raise BookingRefused(message % {"name": name})
    return NewPerson(name=read_person_name(name))


def _find_player_by_number(club: Club, name: str, membership_number: str) -> Player | None:
    if not membership_number:
        return None
    return _find_player_by_name(club.players.filter(number=membership_number), name)


def _find_player_by_name(players: Iterable[Player], name: str) -> Player | None:
    """Return the player with this name, ignoring case and accents; None if there is none."""
    searched_names = (fold_name(name), fold_name(put_first_name_first(name)))
    folded_players = [(fold_name(player.name), player) for player in players]
    return next(
        (
            player
            for searched_name in searched_names
            for folded_name, player in folded_players
            if folded_name == searched_name
        ),
        None,
    )


def _limit_attempts(
    request: HttpRequest, club: Club, purpose: str, ip_limit: int, club_limit: int
) -> None:
    counter_key = f"{purpose}/{club.pk}"
    try:
        count_request(
            request,
            counter_key,
            max_per_address=ip_limit,
            max_total_requests=club_limit,
            window=RATE_LIMIT_WINDOW,
        )
    except AttemptLimitReached as limit_error:
        message = ngettext(
            "Too many tries. Wait %(minutes)s minute, or ask the director.",
            "Too many tries. Wait %(minutes)s minutes, or ask the director.",
            limit_error.minutes,
        )
        raise BookingRefused(message % {"minutes": limit_error.minutes}) from None
