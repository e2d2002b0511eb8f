"""The names that a check-in page may offer, and the search for the player with a typed name."""

from django.utils.translation import gettext as _

from clubs.errors import CheckInRefused
from clubs.models import Club, Player
from clubs.name_folding import (
    filter_by_name,
    fold_name_for_storage,
    rank_match,
    split_search_words,
)
from clubs.name_order import sort_by_name
from clubs.names.people import is_person_name, read_people
from clubs.names.tidy import clean_name
from clubs.privacy import has_public_page

MIN_SEARCH_LENGTH = 3
"""The number of typed letters from which a page offers names."""
MAX_SUGGESTED_NAMES = 8
MAX_NAME_LENGTH = 80
BEST_MATCH_RANK = 2
"""The result of `rank_match` if each search word is the beginning of a word in the name."""


def identify_person(club: Club, typed_name: str) -> tuple[str, Player | None]:
    """Return the name to store for a typed name, and the player with exactly this name.

    Raises CheckInRefused for an unusable name. For a player whose name is hidden,
    pages show the same as for a guest. No page therefore reveals who is a member.
    """
    name = clean_name(typed_name)
    player = _find_player(club, name)
    if player is not None:
        return name, player
    person_names = read_people(name, 1).names
    if len(person_names) > 1:
        raise CheckInRefused(_("Enter one name in each box."))
    name = person_names[0] if person_names else ""
    if not is_person_name(name) or not name.isprintable() or len(name) < 2:
        raise CheckInRefused(_("Enter your first name and surname."))
    if len(name) > MAX_NAME_LENGTH:
        message = _("Use %(most)s characters or fewer for a name.")
        raise CheckInRefused(message % {"most": MAX_NAME_LENGTH})
    return name, _find_player(club, name)


def _find_player(club: Club, name: str) -> Player | None:
    players = club.players.filter(forgotten_on=None)
    return filter_by_name(players, name).first()


def has_enough_letters(typed_name: str) -> bool:
    """Return whether a typed name is long enough for a page to offer names."""
    return sum(map(len, split_search_words(typed_name))) >= MIN_SEARCH_LENGTH


def list_suggested_players(club: Club, typed_name: str) -> list[Player]:
    """Return the players with a public name whom a phone may offer for a typed text.

    Each typed word must be the beginning of a word in the name. The list is empty if fewer than
    MIN_SEARCH_LENGTH letters were typed, and has at most MAX_SUGGESTED_NAMES players.
    """
    if not has_enough_letters(typed_name):
        return []
    search_words = split_search_words(typed_name)
    players = club.players.filter(shown=Player.Shown.NAME, forgotten_on=None)
    for search_word in search_words:
        players = players.filter(plain__contains=fold_name_for_storage(search_word))
    best_matching_players = (
        player
        for player in sort_by_name(players, lambda player: player.name)
        if rank_match(search_words, player.plain) == BEST_MATCH_RANK
    )
    public_players = [player for player in best_matching_players if has_public_page(player)]
    return public_players[:MAX_SUGGESTED_NAMES]
