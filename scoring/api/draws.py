"""The API of drawn rounds: set up a Swiss event, draw a round, undo a draw."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

import scoring.services
from scoring import page_loaders
from scoring.services.swiss import find_draw
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets.draws import DrawnMatch, DrawnRound, load_drawn_rounds
from server.api.dataclass_serializers import DataclassSerializer
from server.api.endpoints import build_choice_field, describe_operation, endpoint, validate_body
from tournaments.models import Section, Session
from tournaments.swiss.field import DrawMethod
from tournaments.swiss.plan import PLAN_METHODS, SwissPlan


class SwissSettingsSerializer(serializers.Serializer[Any]):
    """The settings of a Swiss event, which are fixed before its first round."""

    rounds = serializers.IntegerField(min_value=2, max_value=20)
    boards_a_round = serializers.IntegerField(min_value=1, max_value=60)
    copies = serializers.IntegerField(
        min_value=1,
        max_value=200,
        default=1,
        help_text="the number of identical copies of the boards",
    )
    drawn = build_choice_field(
        [(str(draw_method), str(draw_method)) for draw_method in PLAN_METHODS],
        required=False,
        default=str(DrawMethod.SWISS),
    )
    arrears = serializers.BooleanField(
        default=False, help_text="draw each round from the scores before the previous round"
    )
    last_free = serializers.BooleanField(
        default=False, help_text="draw the last round by rank, even if the entries have met"
    )
    seeded = serializers.BooleanField(
        default=False, help_text="draw round 1 by the entries' numbers"
    )
    apart = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=1), min_length=2, max_length=2
        ),
        max_length=500,
        required=False,
        help_text="pairs of entry numbers that must not meet",
    )
    three_way = serializers.BooleanField(
        default=False,
        help_text="with an odd number of teams, three play each other; each match has two "
        "halves of one round",
    )
    own_boards = serializers.BooleanField(
        default=False,
        help_text="for teams: each match has different boards, so no copies are needed",
    )
    clubs_until = serializers.IntegerField(
        min_value=0,
        max_value=20,
        default=0,
        help_text="up to this round entries with one tag “club …” do not meet",
    )
    scoring = serializers.CharField(
        max_length=20,
        required=False,
        help_text="the code of a method such as victory_points; by default the usual one",
    )
    by_corrected = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="whether the corrected total decides; by default from 48 boards",
    )
    seed = serializers.CharField(
        max_length=64, required=False, help_text="the seed of the draw"
    )


class RoundDrawSerializer(serializers.Serializer[Any]):
    """The round to draw."""

    round = serializers.IntegerField(min_value=1, max_value=40)
    section = serializers.CharField(max_length=2, default="A")
    anyway = serializers.BooleanField(
        default=False, help_text="draw although results are missing"
    )
    seed = serializers.CharField(max_length=64, required=False)


class DrawnMatchSerializer(DataclassSerializer):
    """One match of a drawn round."""

    class Meta:
        dataclass = DrawnMatch
        fields = ("table", "ns", "ew", "reason")
        help_texts = {"ns": "the entry N-S, or the home team"}


class DrawnRoundSerializer(DataclassSerializer):
    """A drawn round."""

    matches = DrawnMatchSerializer(many=True)

    class Meta:
        dataclass = DrawnRound
        fields = ("section", "round", "matches", "sit_out", "seed", "sha256", "change")
        sources = {"sit_out": "sit_out_numbers", "change": "undoable_change_id"}
        help_texts = {
            "sha256": "of the canonical JSON of the input",
            "change": "the seating change that an undo reverses; null for round 1",
        }


class DrawnRoundListSerializer(serializers.Serializer[Any]):
    """The drawn rounds of a session, the last first, and notes about undrawn rounds."""

    drawn = DrawnRoundSerializer(many=True)
    undrawn = serializers.ListField(
        child=serializers.CharField(),
        help_text="a sentence for each section with undrawn rounds",
    )


@describe_operation("GET", "rounds", DrawnRoundListSerializer, error_statuses=(401, 403, 404))
@describe_operation(
    "PUT", "rounds_set_up", DrawnRoundListSerializer, request=SwissSettingsSerializer
)
@describe_operation("POST", "round_draw", DrawnRoundListSerializer, request=RoundDrawSerializer)
@endpoint("GET", "PUT", "POST", is_public=False)
def round_list(request: Request, slug: str, number: int) -> Response:
    """List the drawn rounds, set up a Swiss event, or draw its next round."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    if request.method == "PUT":
        _set_up_swiss(session, validate_body(SwissSettingsSerializer, request), request)
    elif request.method == "POST":
        input_data = validate_body(RoundDrawSerializer, request)
        scoring.services.draw_round(
            section=_find_section(session, input_data["section"]),
            round_number=input_data["round"],
            should_ignore_missing_results=input_data["anyway"],
            random_seed=input_data.get("seed", ""),
            by=request.user,
        )
    return Response(_build_rounds_data(session))


@describe_operation("POST", "round_undo", DrawnRoundListSerializer, request=None)
@endpoint("POST")
def undo_round_draw(request: Request, slug: str, number: int, round: int) -> Response:
    """Undo the draw of a round; the draw remains in the history."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    seating_changes = [find_draw(section, round) for section in session.sections.all()]
    change = next(
        (seating_change for seating_change in seating_changes if seating_change is not None),
        None,
    )
    if change is None:
        message = _("Round %(round)s has no draw to undo.")
        raise exceptions.ValidationError({"round": [message % {"round": round}]})
    scoring.services.undo_change(change=change, by=request.user)
    return Response(_build_rounds_data(session))


def _set_up_swiss(session: Session, input_data: dict[str, Any], request: Request) -> None:
    plan = SwissPlan(
        rounds=input_data["rounds"],
        method=DrawMethod(input_data["drawn"]),
        arrears=input_data["arrears"],
        last_free=input_data["last_free"],
        seeded=input_data["seeded"],
        apart=tuple(
            (first_entry_number, second_entry_number)
            for first_entry_number, second_entry_number in input_data.get("apart", ())
        ),
        clubs_until=input_data["clubs_until"],
        three_way=input_data["three_way"],
        own_boards=input_data["own_boards"],
    )
    scoring.services.seat_swiss(
        session=session,
        plan=plan,
        boards_a_round=input_data["boards_a_round"],
        copy_count=input_data["copies"],
        method=input_data.get("scoring", ""),
        by_corrected=input_data["by_corrected"],
        random_seed=input_data.get("seed", ""),
        by=request.user,
    )


def _find_section(session: Session, section_letter: str) -> Section:
    sections = Section.objects.select_related("session__event__club")
    section = sections.filter(session=session, letter=section_letter).first()
    if section is None:
        raise exceptions.ValidationError({"section": [_("Section not found.")]})
    return section


def _build_rounds_data(session: Session) -> dict[str, Any]:
    snapshot = load_session_snapshot(session)
    undrawn_round_sentences = [
        sentence
        for section in snapshot.sections
        if (sentence := snapshot.describe_undrawn_rounds(section.letter))
    ]
    return DrawnRoundListSerializer(
        {"drawn": load_drawn_rounds(snapshot), "undrawn": undrawn_round_sentences}
    ).data
