"""The names that a check-in page may offer, and the person that a typed name means."""

from django.utils.translation import gettext as _

from clubs.errors import CheckInRefused
from clubs.models import Club, Player
from clubs.name_folding import (
    filter_by_name,
    fold_name_for_storage,
    rank_match,
    split_search_words,
)
from clubs.names.people import is_person_name, read_people
from clubs.names.tidy import clean_name
from clubs.privacy import has_public_page

MIN_LETTERS = 3
"""The letters after which a page offers names."""
MAX_OFFERS = 8
MAX_NAME_LENGTH = 80
BEST_RANK = 2
"""The rank of a name in which each search word begins a word."""


def find_person(club: Club, typed: str) -> tuple[str, Player | None]:
    """Return the name to store for a typed name, and the player with exactly this name.

    Raises CheckInRefused for an unusable name. The result for a player who hides the name
    looks like that for a guest, so that no page reveals who is a member.
    """
    name = clean_name(typed)
    player = _find_player(club, name)
    if player is not None:
        return name, player
    names = read_people(name, 1).names
    if len(names) > 1:
        raise CheckInRefused(_("Enter one name in each box."))
    name = names[0] if names else ""
    if not is_person_name(name) or not name.isprintable() or len(name) < 2:
        raise CheckInRefused(_("Enter your first name and surname."))
    if len(name) > MAX_NAME_LENGTH:
        words = _("Use %(most)s characters or fewer for a name.")
        raise CheckInRefused(words % {"most": MAX_NAME_LENGTH})
    return name, _find_player(club, name)


def _find_player(club: Club, name: str) -> Player | None:
    rows = club.players.filter(forgotten_on=None)
    return filter_by_name(rows, name).first()


def has_enough_letters(typed: str) -> bool:
    """Return whether a typed name is long enough for a page to offer names."""
    return sum(map(len, split_search_words(typed))) >= MIN_LETTERS


def list_offered_players(club: Club, typed: str) -> list[Player]:
    """Return the players with a public name that a phone may offer, at most MAX_OFFERS.

    Every typed word begins a word of the name. Empty for fewer than MIN_LETTERS letters.
    """
    if not has_enough_letters(typed):
        return []
    words = split_search_words(typed)
    rows = club.players.filter(shown=Player.Shown.NAME, forgotten_on=None)
    for word in words:
        rows = rows.filter(plain__contains=fold_name_for_storage(word))
    ranked = (
        player
        for player in rows.order_by("name")
        if rank_match(words, player.plain) == BEST_RANK
    )
    public_players = [player for player in ranked if has_public_page(player)]
    return public_players[:MAX_OFFERS]
