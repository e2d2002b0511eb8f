"""The API of grades: a club's settings and constants, and the public grades."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import Club, Player
from seasons.grades.club_plays import may_grades_be_outdated
from seasons.grades.models import GradeBook, GradeConstants
from seasons.grades.sheets import load_constants_sheet, load_grade_steps
from seasons.grades.visibility import get_grade_book, is_grade_public, query_public_grades
from server.api.endpoints import build_choice_field, describe_operation, endpoint, paginate
from server.errors import PageNotFound

RELIABILITY_WORDS = ("tentative", "evolving", "mature")


class GradeConstantsSerializer(serializers.Serializer[object]):
    """The constants of grades in tricks per board: spread of people, form, yearly change."""

    s0 = serializers.FloatField()
    tau = serializers.FloatField()
    q = serializers.FloatField()
    usual = serializers.BooleanField(
        help_text="true if the defaults are used, as no fit is finished"
    )
    since = serializers.DateTimeField(allow_null=True)
    cause = build_choice_field(
        GradeConstants.FitCause.choices,
        allow_null=True,
        help_text="the reason for the last change",
    )
    evenings = serializers.IntegerField(help_text="the number of evenings that were fitted")


class GradeSettingsSerializer(serializers.Serializer[object]):
    """A club's settings for grades: who sees grades, and how current they are."""

    seen = build_choice_field(
        GradeBook.Visibility.choices, help_text="who can see a person's grade"
    )
    behind = serializers.BooleanField(
        help_text="true while grades are recomputed; older values are shown"
    )
    made = serializers.DateTimeField(allow_null=True)
    evenings = serializers.IntegerField()  # the number of graded evenings
    noise = serializers.FloatField(help_text="the variance of a single result")
    constants = GradeConstantsSerializer()


class GradeSerializer(serializers.Serializer[object]):
    """A public grade: tricks over 24 boards above the club's mean, with an 80 % interval."""

    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.shown_name")
    partner = serializers.CharField(
        source="partner.shown_name",
        allow_null=True,
        help_text="the partner, if the grade is that of the pair",
    )
    grade = serializers.FloatField(source="shown")
    range = serializers.FloatField()
    word = serializers.ChoiceField(choices=RELIABILITY_WORDS)
    boards = serializers.IntegerField()


class GradeStepSerializer(serializers.Serializer[object]):
    """The effect of one evening on a grade, in tricks over the evening and over 24 boards."""

    event = serializers.CharField(source="row.event.slug")
    date = serializers.DateField(source="row.event.date")
    boards = serializers.IntegerField(source="row.boards")
    expected = serializers.FloatField(source="row.expected")
    made = serializers.FloatField(source="row.made")
    old = serializers.FloatField(source="previous_value", allow_null=True)
    grade = serializers.FloatField(source="row.shown", allow_null=True)
    range = serializers.FloatField(source="row.range", allow_null=True)
    pair = serializers.BooleanField(
        source="row.is_pair", help_text="whether the grade is that of the pair"
    )


@describe_operation("GET", "grades", GradeSettingsSerializer)
@endpoint("GET")
def show_grade_settings(request: Request, slug: str) -> Response:
    """Show a club's settings and constants for grades."""
    grade_book = _get_grade_book(slug)
    constants = load_constants_sheet(grade_book)
    last_fit = grade_book.constants.exclude(done_at=None).last()
    settings_data = {
        "seen": grade_book.seen,
        "behind": may_grades_be_outdated(grade_book),
        "made": grade_book.made_at,
        "evenings": grade_book.evenings,
        "noise": grade_book.noise,
        "constants": {
            "s0": constants.s0,
            "tau": constants.tau,
            "q": constants.q,
            "usual": constants.is_default,
            "since": constants.since,
            "cause": last_fit.cause if last_fit else None,
            "evenings": constants.evening_count,
        },
    }
    return Response(GradeSettingsSerializer(settings_data).data)


@describe_operation("GET", "grades_people", GradeSerializer, is_paginated=True)
@endpoint("GET")
def list_public_grades(request: Request, slug: str) -> Response:
    """List the public grades by name; empty if people see only their own grade."""
    return paginate(request, query_public_grades(_get_grade_book(slug).club), GradeSerializer)


@describe_operation("GET", "grade_steps", GradeStepSerializer, is_paginated=True)
@endpoint("GET")
def list_grade_steps(request: Request, slug: str, player: int) -> Response:
    """List the effects of evenings on a person's public grade, newest first."""
    grade_book = _get_grade_book(slug)
    player_row = Player.objects.filter(club=grade_book.club, pk=player).first()
    if player_row is None or not is_grade_public(player_row):
        raise PageNotFound(_("No public grade found."))
    return paginate(
        request, load_grade_steps(player_row, is_public_view=True), GradeStepSerializer
    )


def _get_grade_book(club_slug: str) -> GradeBook:
    club = Club.objects.filter(slug=club_slug).first()
    grade_book = get_grade_book(club) if club else None
    if grade_book is None:
        raise PageNotFound(_("This club doesn’t keep grades."))
    return grade_book
