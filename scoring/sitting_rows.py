"""The rows of a session's seating, as `scoring.sittings` asks for them at every score."""

from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q, QuerySet

from scoring.models import Outcome, Result, Ruling
from server.prepared import prepared
from tournaments.models import Place, Section, Sitting
from tournaments.models.seating import SEATS

ORDER = "section__letter", "round", "table"


@prepared
def sections_of(session: int) -> QuerySet[Section]:
    """The sections of a session."""
    return Section.objects.filter(session=session).order_by("letter")


@prepared
def sittings_of(session: int) -> QuerySet[Sitting]:
    """The sittings of a session, by section, round and table."""
    return Sitting.objects.filter(section__session=session).order_by(*ORDER)


@prepared
def sittings_at(session: int, letter: str, table: int) -> QuerySet[Sitting]:
    """Those of one table."""
    at_table = Q(section__letter=letter, table=table)
    return Sitting.objects.filter(at_table, section__session=session).order_by(*ORDER)


@prepared
def sittings_again(session: int) -> QuerySet[Sitting, tuple[int]]:
    """One sitting of a session whose four played its board group before, if there is one."""
    same = Sitting.objects.filter(
        section=OuterRef("section"), board_group=OuterRef("board_group"), pk__lt=OuterRef("pk")
    )
    for seat in SEATS:
        same = same.filter(reduce(or_, (Q(**{seat: OuterRef(each)}) for each in SEATS)))
    found = Sitting.objects.filter(Exists(same), section__session=session)
    return found.order_by("pk").values_list("pk")[:1]


@prepared
def sittings_with(session: int, group: int) -> QuerySet[Sitting]:
    """Those that play a board group, or boards that have strayed."""
    playing = Q(board_group=group) | ~Q(strays=[])
    return Sitting.objects.filter(playing, section__session=session).order_by(*ORDER)


@prepared
def places_of(session: int) -> QuerySet[Place]:
    """The places of a session, by section and number, with who has them."""
    return _places().filter(section__session=session)


@prepared
def places_among(session: int, keys: tuple[int, ...]) -> QuerySet[Place]:
    """Some of them, by their keys."""
    return _places().filter(section__session=session, pk__in=keys)


def _places() -> QuerySet[Place]:
    return Place.objects.select_related("section", "entry").order_by(
        "section__letter", "number"
    )


@prepared
def results_of(session: int) -> QuerySet[Result]:
    """The results of a session that stand, those of earlier deals first."""
    return _results(session)


@prepared
def results_at(session: int, letter: str, table: int) -> QuerySet[Result]:
    """Those of one table."""
    found = _results(session)
    return found.filter(sitting__in=sittings_at.rows(session, letter, table).order_by())


@prepared
def results_with(session: int, group: int) -> QuerySet[Result]:
    """Those of the sittings that play a board group, or boards that have strayed."""
    return _results(session).filter(sitting__in=sittings_with.rows(session, group).order_by())


def _results(session: int) -> QuerySet[Result]:
    found = Result.objects.filter(sitting__section__session=session)
    return found.exclude(outcome=Outcome.CLEARED).order_by("deal")


@prepared
def ruled_plays_of(session: int) -> QuerySet[Ruling, tuple[int, int, int, str]]:
    """The plays with a ruling in force: sitting, board, deal and kind of the ruling."""
    rulings = Ruling.objects.in_force().filter(session=session, result__isnull=False)
    return rulings.values_list("result__sitting", "result__board", "result__deal", "kind")
