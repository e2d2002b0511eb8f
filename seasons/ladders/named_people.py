"""Lookup of a club's players by typed names; the names of hidden players are not revealed."""

from collections.abc import Collection, Mapping

from clubs.models import Club, Player
from clubs.name_folding import fold_name
from clubs.privacy import has_public_page


def find_people_by_name(club: Club, texts: Collection[str]) -> Mapping[str, Player | None]:
    """Return the player for each text, by exact name, else by normalized name; one query.

    If two names differ only by an accent, the normalized name finds the player whose name is
    shown less. Thus typing a name without accents never reveals a hidden player.
    """
    letters = {text: fold_name(text) for text in texts}
    rows = Player.objects.filter(club=club, plain__in=set(letters.values()))
    people = sorted(rows, key=lambda each: (not has_public_page(each), each.pk))
    names = {each.name: each for each in people}
    plain = {each.plain: each for each in people}
    return {text: names.get(text) or plain.get(letters[text]) for text in texts}
