"""The clubs of a server that carries many: found by their names, and what is played today."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator

from clubs.letters import how_well, plain_letters, sought_words
from clubs.today import is_today_at_its_club
from seasons.people.sheets.people import clubs_that_play
from tournaments.models import Event
from tournaments.views.states import EventLine, event_line

PAGE = 50


@dataclass(frozen=True, slots=True, order=True)
class ClubLine:
    """A club in a list of many."""

    plain: str
    name: str
    slug: str


@dataclass(frozen=True, slots=True)
class ClubsHere:
    """What the front page shows where many clubs play."""

    words: str
    clubs: "Page[ClubLine]"
    count: int
    today: tuple[tuple[EventLine, str], ...]  # each with its club
    today_count: int

    @property
    def asked(self) -> str:
        """What the next page of clubs is to be asked besides its number."""
        return urlencode({"q": self.words}) if self.words else ""


def clubs_here(words: str, page: str | None) -> ClubsHere:
    """Find clubs by their names; the questions asked do not grow with them."""
    rows = clubs_that_play().values_list("name", "slug")
    lines = sorted(ClubLine(plain_letters(name), name, slug) for name, slug in rows)
    sought = sought_words(words)
    found = [line for line in lines if how_well(sought, line.plain)] if sought else lines
    is_today = is_today_at_its_club("sessions__evening__date", "club")
    today = Event.objects.listed().filter(is_today).distinct().order_by("club__name", "name")
    first = today.with_sessions()[:PAGE]
    return ClubsHere(
        words=words,
        clubs=Paginator(found, PAGE).get_page(page),
        count=len(lines),
        today=tuple((event_line(event), event.club.name) for event in first),
        today_count=today.count(),
    )
