"""The API of grades: a club's settings and constants, and the public grades."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import Club, Player
from seasons.grades.club_plays import are_grades_outdated_quick
from seasons.grades.models import GradeBook, GradeConstants
from seasons.grades.sheets import load_constants_view, load_grade_steps
from seasons.grades.visibility import get_grade_book, is_grade_public, query_public_grades
from server.api.endpoints import build_choice_field, describe_operation, endpoint, paginate
from server.errors import PageNotFound

RELIABILITY_WORDS = ("tentative", "evolving", "mature")


class GradeConstantsAnswer(serializers.Serializer[object]):
    """By what grades go, in tricks a board: how far people differ, form, change in a year."""

    s0 = serializers.FloatField()
    tau = serializers.FloatField()
    q = serializers.FloatField()
    usual = serializers.BooleanField(help_text="true while no fit to the club has been made")
    since = serializers.DateTimeField(allow_null=True)
    cause = build_choice_field(
        GradeConstants.Cause.choices, allow_null=True, help_text="why since then"
    )
    evenings = serializers.IntegerField(help_text="from how many evenings they were fitted")


class GradesAnswer(serializers.Serializer[object]):
    """A club's grades: who sees them, and how far they are worked out."""

    seen = build_choice_field(GradeBook.Seen.choices, help_text="who sees somebody's grade")
    behind = serializers.BooleanField(
        help_text="they are being worked out again; what is told is from before"
    )
    made = serializers.DateTimeField(allow_null=True)
    evenings = serializers.IntegerField()
    noise = serializers.FloatField(help_text="the variance of the tricks of one play")
    constants = GradeConstantsAnswer()


class GradeAnswer(serializers.Serializer[object]):
    """A grade that everybody may see: tricks above the club in 24 boards, ± in 4 of 5 cases."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.shown_name")
    partner = serializers.CharField(
        source="partner.shown_name",
        allow_null=True,
        help_text="where two cannot be told apart: the other of the two",
    )
    grade = serializers.FloatField(source="shown")
    range = serializers.FloatField()
    word = serializers.ChoiceField(choices=RELIABILITY_WORDS)
    boards = serializers.IntegerField()


class GradeStepAnswer(serializers.Serializer[object]):
    """One evening of a grade, in tricks over the evening and in tricks in 24 boards."""

    event = serializers.CharField(source="row.event.slug")
    date = serializers.DateField(source="row.event.date")
    boards = serializers.IntegerField(source="row.boards")
    expected = serializers.FloatField(source="row.expected")
    made = serializers.FloatField(source="row.made")
    old = serializers.FloatField(source="before", allow_null=True)
    grade = serializers.FloatField(source="row.shown", allow_null=True)
    range = serializers.FloatField(source="row.range", allow_null=True)
    pair = serializers.BooleanField(
        source="row.is_pair", help_text="the grade is of two who cannot be told apart"
    )


@describe_operation("GET", "grades", GradesAnswer)
@endpoint("GET")
def show_grade_settings(request: Request, slug: str) -> Response:
    """Tell whether a club keeps grades, who sees them, and by which constants they go."""
    book = _get_grade_book(slug)
    now = load_constants_view(book)
    row = book.constants.exclude(done_at=None).last()
    data = {
        "seen": book.seen,
        "behind": are_grades_outdated_quick(book),
        "made": book.made_at,
        "evenings": book.evenings,
        "noise": book.noise,
        "constants": {
            "s0": now.s0,
            "tau": now.tau,
            "q": now.q,
            "usual": now.is_usual,
            "since": now.since,
            "cause": row.cause if row else None,
            "evenings": now.evenings,
        },
    }
    return Response(GradesAnswer(data).data)


@describe_operation("GET", "grades_people", GradeAnswer, paged=True)
@endpoint("GET")
def list_public_grades(request: Request, slug: str) -> Response:
    """List the grades that everybody may see, by name; none where only the person does."""
    return paginate(request, query_public_grades(_get_grade_book(slug).club), GradeAnswer)


@describe_operation("GET", "grade_steps", GradeStepAnswer, paged=True)
@endpoint("GET")
def list_grade_steps(request: Request, slug: str, player: int) -> Response:
    """List a grade evening by evening, the newest first, where everybody may see it."""
    book = _get_grade_book(slug)
    found = Player.objects.filter(club=book.club, pk=player).first()
    if found is None or not is_grade_public(found):
        raise PageNotFound(_("No public grade found."))
    return paginate(request, load_grade_steps(found, for_everybody=True), GradeStepAnswer)


def _get_grade_book(slug: str) -> GradeBook:
    club = Club.objects.filter(slug=slug).first()
    book = get_grade_book(club) if club else None
    if book is None:
        raise PageNotFound(_("This club doesn't keep grades."))
    return book
