"""What an entry is called once it has a seat."""

from tournaments.models import Place, Session
from tournaments.movements.words import spoken


def seat_labels(session: Session) -> dict[int, str]:
    """Write each seated entry's seat as players know it: "3 N-S", "5", in sections "A5"."""
    places = Place.objects.filter(section__session=session, entry__isnull=False)
    rows = list(places.values_list("entry", "section__letter", "label"))
    lettered = len({letter for _entry, letter, _label in rows}) > 1
    return {
        entry: spoken(f"{letter}{label}" if lettered else label)
        for entry, letter, label in rows
    }
