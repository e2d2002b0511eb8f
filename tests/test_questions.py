"""What the tests' quicker ways of asking ask, and are told, is what Django itself would."""

import pytest
from django.db.models import Count, F, QuerySet
from django.db.models.functions import Lower
from django.db.models.sql.compiler import SQLCompiler

from clubs.models import Player
from scoring.models import Result
from tests import evenings
from tournaments.models import Entry, Event, Sitting

NAMES = Event.objects.order_by().values("name")
BY_CHANCE = "by chance"
QUESTIONS: dict[str, QuerySet] = {
    "as the model says": Event.objects.all(),
    "by a field, backwards": Player.objects.order_by("-name", "pk"),
    "by fields of others": Sitting.objects.order_by("section__session__number", "-table"),
    "with the rows of others": Sitting.objects.select_related("section__session__event"),
    "some columns": Event.objects.only("name", "slug"),
    "whole rows": Result.objects.filter(sitting__table=1).order_by("pk"),
    "of itself": Player.objects.filter(club__players__name__gt="M").distinct(),
    "one value": Entry.objects.values_list("name", flat=True).order_by("pk"),
    "rows of a slice": Result.objects.order_by("pk")[2:5],
    "in another question": Entry.objects.filter(event__in=Event.objects.filter(name__gt="")),
    "by nothing": Entry.objects.order_by(),
    "from its end": Event.objects.order_by("date").reverse(),
    BY_CHANCE: Event.objects.order_by("?"),
    "by what is counted": Event.objects.annotate(many=Count("entries")).order_by("-many"),
    "by a column that is read": Event.objects.values("name").order_by(F("name").desc()),
    "by a function": Player.objects.order_by(Lower("name")),
    "by the name of a value": Event.objects.values(called=F("name")).order_by("called"),
    "sums": Result.objects.values("board").annotate(plays=Count("pk")).order_by("board"),
    "two in one": NAMES.union(Player.objects.order_by().values("name")),
    "two in order": NAMES.union(Player.objects.order_by().values("name")).order_by("name"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_put_in_the_same_words(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> tuple[object, object]:
        question = QUESTIONS[name].all()
        return question.query.sql_with_params(), list(question)

    evenings.played()
    said = [asked(), asked()] if name != BY_CHANCE else [asked()[0]] * 2
    for way in ("_order_by_pairs", "compile", "get_select", "get_converters"):
        monkeypatch.setattr(SQLCompiler, way, getattr(SQLCompiler, way).__wrapped__)
    assert said == [asked(), asked()] if name != BY_CHANCE else [asked()[0]] * 2
