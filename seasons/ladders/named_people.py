"""The lookup of a club's players by typed names, which never reveals hidden names."""

from collections.abc import Collection, Mapping

from clubs.models import Club, Player
from clubs.name_folding import fold_name
from clubs.privacy import has_public_page


def find_people_by_name(club: Club, texts: Collection[str]) -> Mapping[str, Player | None]:
    """Return the player for each typed name, or None; one query.

    An exact match has priority over a match that ignores case and accents. If several players
    match without accents, a hidden player is chosen before a visible one. A name typed without
    accents therefore never reveals a hidden player.
    """
    letters = {text: fold_name(text) for text in texts}
    rows = Player.objects.filter(club=club, plain__in=set(letters.values()))
    people = sorted(rows, key=lambda row: (not has_public_page(row), row.pk))
    names = {person.name: person for person in people}
    people_by_plain_name = {person.plain: person for person in people}
    return {text: names.get(text) or people_by_plain_name.get(letters[text]) for text in texts}
