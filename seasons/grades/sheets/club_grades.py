"""A club's grades for programs, in the shape of those of a file."""

from typing import Any

from clubs.models import Club
from seasons.grades.club_plays import evenings_of, graded_events
from seasons.grades.grades_file import grades_data
from seasons.grades.models import GradeBook
from seasons.grades.rating import Constants
from seasons.grades.sheets.grades import constants_said


def club_grades_data(club: Club, *, each: bool = False) -> dict[str, Any]:
    """Grade a club's evenings from the first on; people by their names in full."""
    book = GradeBook.objects.filter(club=club).first() or GradeBook(club=club)
    constants = Constants(book.s0, book.tau, book.q)
    said = constants_said(book) if book.pk else None
    data = grades_data(constants, list(evenings_of(graded_events(club))), each=each)
    names = {str(pk): name for pk, name in club.players.values_list("pk", "name")}
    for evening in data["evenings"]:
        named = {names.get(pk, pk): row for pk, row in evening["players"].items()}
        evening["players"] = dict(sorted(named.items()))
    return {
        "constants": {
            "s0": book.s0,
            "tau": book.tau,
            "q": book.q,
            "since": said.since.isoformat() if said and said.since else None,
            "why": said.cause if said else "",
        },
        **data,
    }
