"""Who of a club is meant by names that somebody typed, so that hidden names stay hidden."""

from collections.abc import Collection, Mapping

from clubs.letters import plain_letters
from clubs.models import Club, Player
from clubs.privacy import may_be_shown


def people_named(club: Club, texts: Collection[str]) -> Mapping[str, Player | None]:
    """Who each text means, by the name as it is written or by its plain letters; one question.

    Of two who differ by an accent alone the plain letters mean the one whose name is less
    shown: whoever is hidden is not told by another's way of writing.
    """
    letters = {text: plain_letters(text) for text in texts}
    rows = Player.objects.filter(club=club, plain__in=set(letters.values()))
    people = sorted(rows, key=lambda each: (not may_be_shown(each), each.pk))
    names = {each.name: each for each in people}
    plain = {each.plain: each for each in people}
    return {text: names.get(text) or plain.get(letters[text]) for text in texts}
