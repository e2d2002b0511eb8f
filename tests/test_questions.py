"""What the tests' quicker way of ordering asks is what Django itself would ask."""

import pytest
from django.db.models import Count, F, QuerySet
from django.db.models.functions import Lower
from django.db.models.sql.compiler import SQLCompiler

from clubs.models import Player
from scoring.models import Result
from tournaments.models import Entry, Event, Sitting

NAMES = Event.objects.order_by().values("name")
QUESTIONS: dict[str, QuerySet] = {
    "as the model says": Event.objects.all(),
    "by a field, backwards": Player.objects.order_by("-name", "pk"),
    "by fields of others": Sitting.objects.order_by("section__session__number", "-table"),
    "with the rows of others": Sitting.objects.select_related("section__session__event"),
    "by nothing": Entry.objects.order_by(),
    "from its end": Event.objects.order_by("date").reverse(),
    "by chance": Event.objects.order_by("?"),
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
    ours = QUESTIONS[name].query.sql_with_params()
    quicker = SQLCompiler._order_by_pairs
    monkeypatch.setattr(SQLCompiler, "_order_by_pairs", quicker.__wrapped__)  # type: ignore[attr-defined]  # Django's own
    assert QUESTIONS[name].query.sql_with_params() == ours
