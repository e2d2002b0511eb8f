"""The views of the page that creates a drive."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date as Date
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

import drives.services
from boards.whist import WhistError
from clubs import permissions
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.models import Club
from clubs.name_order import sort_by_name
from clubs.names.tidy import build_name_key, clean_name
from clubs.services.people import load_name_keys
from clubs.today import get_club_date
from drives.draw.participants import MAX_PARTICIPANTS, MAX_ROUNDS, MIN_PARTICIPANTS
from drives.errors import DriveActionNotAllowed
from drives.games.settling import SEATS
from drives.house_tables import (
    OWN_PRESET_PREFIX,
    load_club_presets,
    load_house_terms,
    select_presets_with_points_table,
)
from drives.models import Drive
from drives.names import PastedName, list_doubts, parse_names
from drives.play_forms import PLAY_FORMS
from drives.play_forms.rounds import (
    MEETINGS_TERM,
    MEETINGS_TERM_TABLE_VALUE,
    can_meet_at_tables,
)
from drives.scores.presets import PRESETS, find_preset_by_code, list_presets
from drives.scores.rules import ScoreKind
from drives.scoring_names import (
    describe_usual_scoring,
    find_base_preset_code,
    find_preselected_preset_value,
    has_contract_scoring,
    load_default_drive_names,
)
from drives.services import NewPlayer
from drives.services.create import MAX_HANDS, NUMBER_BY_CARDS
from drives.sheets.custom_fields import (
    build_term_fields,
    list_adjustable_form_titles,
    parse_terms,
)
from drives.sheets.form_offers import USUAL_FORMS, describe_tables, find_preset, list_play_forms
from drives.table_marks import get_table_marks_hooks
from server.fragments import redirect_unless_htmx
from server.numbers import parse_whole_number

MAX_LISTED_PLAYERS = 400
"""The page lists the club's players for ticking only if there are at most this many."""
MAX_TEXT_LENGTH = 200_000
MAX_PRESET_LENGTH = 200
MAX_TYPED_NUMBER = 99_999
"""Typed numbers up to this limit are parsed, so that error messages can show them."""
NO_PRESETS: Mapping[str, Any] = {}
MORE_OPTIONS_FIELDS = (
    "rounds", "hands", "numbering", "first_word", "second_word", "house", "halves",
    "standings_shown", "paper_size", "terms",
)  # fmt: skip
"""The fields of the HTML form that are inside "More options"."""


@dataclass
class NewDriveInput:
    """The values of the HTML form; `form` is the code of the type of drive."""

    names: str = ""
    count: str = ""
    chosen_keys: frozenset[str] = frozenset()
    form: str = USUAL_FORMS[0]
    name: str = ""
    date: str = ""
    preset: str = ""
    rounds: str = ""
    hands: str = ""
    numbering: str = "arrival"
    first_word: str = ""
    second_word: str = ""
    house: str = ""
    sure: str = ""  # "on" if the user has confirmed names that may be misread
    check_in: str = ""  # "on" if players enter their own names at the tables
    halves: bool = True
    standings_shown: str = "after"
    paper_size: str = "A4"
    terms: dict[str, Any] = field(default_factory=dict)  # the settings of the type of drive
    form_key: str = field(default_factory=lambda: get_random_string(24))

    @classmethod
    def from_post(cls, form_data: Any) -> "NewDriveInput":
        """Read a posted HTML form."""
        text_by_field = {
            name: form_data.get(name, "").replace("\0", "").strip()[:MAX_TEXT_LENGTH]
            for name in cls.__dataclass_fields__
            if name not in ("chosen_keys", "halves", "terms") and name in form_data
        }
        return cls(
            **text_by_field,
            chosen_keys=frozenset(form_data.getlist("chosen")),
            halves="halves" in form_data,
            terms=parse_terms(form_data),
        )

    def list_players(self, club: Club) -> list[NewPlayer]:
        """Return all people who get a score card, the pasted names first.

        With check-in, only named players get a card now; the others get one as they check in.
        """
        players = self._list_pasted_and_chosen_players(club)
        if self.check_in:
            return [player for player in players if player.name or player.player]
        return players + [NewPlayer()] * max(0, self._typed_count - len(players))

    def count_people(self, club: Club) -> int:
        """Return the typed number of players, or the number of names if it is greater."""
        return max(self._typed_count, len(self.list_players(club)))

    @property
    def _typed_count(self) -> int:
        return parse_whole_number(self.count, maximum=MAX_TYPED_NUMBER) or 0

    def _list_pasted_and_chosen_players(self, club: Club) -> list[NewPlayer]:
        players = [
            NewPlayer(name=pasted_name.name, number=pasted_name.number, role=pasted_name.role)
            for pasted_name in self.parse_pasted_names(club)
        ]
        if self.chosen_keys:
            chosen_ids = [pk for pk in map(parse_whole_number, self.chosen_keys) if pk]
            known_names = {build_name_key(player.name) for player in players}
            chosen_players = club.players.filter(pk__in=chosen_ids).order_by("name")
            players += [
                NewPlayer(player=player)
                for player in chosen_players
                if build_name_key(player.name) not in known_names
            ]
        return players

    def parse_pasted_names(self, club: Club) -> list[PastedName]:
        """Parse the names in the pasted text."""
        known_names = load_name_keys(club) if self.names else set()
        return parse_names(
            self.names,
            first_role_word=self.first_word,
            second_role_word=self.second_word,
            known_names=known_names,
            has_drawn_cards=self.numbering == NUMBER_BY_CARDS,
        )

    def check_names(self, club: Club) -> None:
        """Raise DriveActionNotAllowed for unconfirmed names that may be misread."""
        if not self.sure and list_doubts(self.parse_pasted_names(club)):
            raise DriveActionNotAllowed(_("Check how the names were read, then tick the box."))

    def check_numbers(self) -> None:
        """Raise DriveActionNotAllowed for an invalid number; empty means the default."""
        rounds_message = _(
            "“%(typed)s” isn’t a number of rounds. Enter 1–%(most)s or leave it empty."
        )
        hands_message = _(
            "“%(typed)s” isn’t a number of hands. Enter 1–%(most)s or leave it empty."
        )
        count_message = _(
            "“%(typed)s” isn’t a number of players. Enter %(least)s–%(most)s or leave it empty."
        )
        for number_text, maximum, message in (
            (self.rounds, MAX_ROUNDS, rounds_message),
            (self.hands, MAX_HANDS, hands_message),
            (self.count, MAX_PARTICIPANTS, count_message),
        ):
            if number_text and parse_whole_number(number_text, maximum=maximum) is None:
                limits = {"least": MIN_PARTICIPANTS, "most": maximum}
                raise DriveActionNotAllowed(message % (limits | {"typed": number_text[:20]}))

    @property
    def house_player_names(self) -> list[str]:
        """The names of house players; the form separates them by commas or line breaks."""
        name_lines = self.house.replace(",", "\n").splitlines()
        return [clean_name(name_line) for name_line in name_lines if name_line.strip()]

    def build_terms(
        self, house_terms: Mapping[str, Any], presets_by_name: Mapping[str, Any] = NO_PRESETS
    ) -> dict[str, Any]:
        """Return the `terms` for `create_drive`.

        `house_terms` are the club's defaults, and `presets_by_name` its own ways to score.
        """
        base_preset_code = find_base_preset_code(self.preset, presets_by_name)
        base_preset = find_preset(PLAY_FORMS[self.form], base_preset_code)
        usual_round_count = base_preset.round_count
        usual_hand_count = base_preset.scoring.hands_per_round
        own_preset_name = self.preset.removeprefix(OWN_PRESET_PREFIX)
        score = dict(presets_by_name.get(own_preset_name, base_preset.score))
        score_terms = {} if "score" in house_terms and not self.preset else {"score": score}
        trumps_terms = {"trumps": base_preset.trumps} if base_preset.trumps else {}
        entered_terms = {
            "rounds": parse_whole_number(self.rounds) if self.rounds else usual_round_count,
            "hands": parse_whole_number(self.hands) if self.hands else usual_hand_count,
            "first_word": self.first_word,
            "second_word": self.second_word,
            "halves": self.halves,
            "standings_shown": self.standings_shown,
            "paper_size": self.paper_size,
            "terms": self._choose_play_form_terms(house_terms)
            | self._build_meeting_term(base_preset_code),
        }
        return score_terms | trumps_terms | entered_terms

    def _build_meeting_term(self, preset_code: str) -> dict[str, str]:
        """Return the setting for draws that avoid repeated meetings at tables, or {}."""
        preset = find_preset_by_code(preset_code)
        should_avoid_table_repeats = preset and preset.should_avoid_table_repeats
        if should_avoid_table_repeats and can_meet_at_tables(PLAY_FORMS[self.form]):
            return {MEETINGS_TERM: MEETINGS_TERM_TABLE_VALUE}
        return {}

    def _choose_play_form_terms(self, house_terms: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of the chosen type of drive.

        The club's default settings are ignored if the club usually plays another type.
        """
        is_usual_form = self.form == house_terms.get("form", self.form)
        return self.terms if is_usual_form or self.terms != house_terms.get("terms", {}) else {}


@require_http_methods(["GET", "POST"])
def show_or_create_drive(request: HttpRequest) -> HttpResponse:
    """Show the form; a POST creates the drive, or shows the form with an error message."""
    requested_club = request.POST.get("club", request.GET.get("club", ""))
    club = permissions.get_current_club(request, requested_club)
    if club is None:
        raise PermissionDenied(_("Only a club’s director can create a drive."))
    timezone.activate(club.zone)
    form_input = (
        NewDriveInput.from_post(request.POST)
        if request.method == "POST"
        else _build_initial_input(request, club)
    )
    problem, should_open_options = "", False
    if request.method == "POST":
        try:
            date = _check_main_fields(club, form_input)
            # if the number of players is valid, only a field under "More options" can be wrong
            should_open_options = (
                MIN_PARTICIPANTS <= form_input.count_people(club) <= MAX_PARTICIPANTS
            )
            drive = _create_drive(request, club, form_input, date)
        except ValidationError as error:
            problem = " ".join(error.messages)
        except WhistError as error:
            problem = str(error)
        else:
            return redirect(_build_next_url(club, form_input, drive))
    context = _build_context(club, form_input, problem)
    context["opens_fold"] = should_open_options or _has_changed_more_options(club, form_input)
    return render(request, "drives/new.html", context, status=422 if problem else 200)


def _build_next_url(club: Club, form_input: NewDriveInput, drive: Drive) -> str:
    """Return the URL of the desk or, with check-in, of the check-in page."""
    if not form_input.check_in:
        return reverse("drive_desk", args=[drive.slug])
    people_count = form_input.count_people(club)
    query = f"?people={people_count}" if people_count else ""
    return reverse("drive_check_in", args=[drive.slug]) + query


def _build_initial_input(request: HttpRequest, club: Club) -> NewDriveInput:
    """Return the values of a new form, with `count` and `preset` from the query string.

    Without `preset`, the form may start with the club's own points table.
    """
    form_input = _build_empty_input(club, count_text=request.GET.get("count", ""))
    requested_preset = request.GET.get("preset", "")[:MAX_PRESET_LENGTH]
    preset = requested_preset or find_preselected_preset_value(club)
    if not preset:
        return form_input
    name = load_default_drive_names(club).get(preset, form_input.name)
    return _choose_usual_play_form(replace(form_input, preset=preset, name=name), club)


def _has_changed_more_options(club: Club, form_input: NewDriveInput) -> bool:
    """Return whether a field inside "More options" differs from the club's default."""
    default_input = _build_empty_input(club, count_text="")
    return any(
        getattr(form_input, name) != getattr(default_input, name)
        for name in MORE_OPTIONS_FIELDS
    )


def _build_empty_input(club: Club, *, count_text: str) -> NewDriveInput:
    """Return the values of a form with the club's defaults and the number of players."""
    house_terms = load_house_terms(club)
    field_names = ("name", "rounds", "hands", "first_word", "second_word", "standings_shown",
             "paper_size")  # fmt: skip
    initial_values: dict[str, Any] = {
        name: str(house_terms[name]) for name in field_names if house_terms.get(name)
    }
    if house_terms.get("form") in PLAY_FORMS:
        initial_values |= {"form": house_terms["form"], "terms": house_terms.get("terms", {})}
    date_text = get_club_date(club).isoformat()
    defaults = {"name": load_default_drive_names(club)[""], "date": date_text}
    count_text = count_text if parse_whole_number(count_text, maximum=MAX_PARTICIPANTS) else ""
    has_halves = bool(house_terms.get("halves", True))
    return NewDriveInput(**(defaults | initial_values), count=count_text, halves=has_halves)


def _check_main_fields(club: Club, form_input: NewDriveInput) -> Date:
    """Check the fields before "More options", and return the date."""
    if form_input.form not in PLAY_FORMS:
        raise ValidationError(_("Choose a type of drive."))
    form_input.check_numbers()
    form_input.check_names(club)
    if not form_input.check_in and not form_input.list_players(club):
        raise ValidationError(_("Enter names or a number of players, or choose check-in."))
    try:
        date = Date.fromisoformat(form_input.date)
    except ValueError:
        raise ValidationError(_("Enter the date as 2026-11-27.")) from None
    if not is_valid_event_day(date):
        raise ValidationError(format_event_day_error())
    return date


def _create_drive(
    request: HttpRequest, club: Club, form_input: NewDriveInput, date: Date
) -> Drive:
    drive = drives.services.create_drive(
        club=club,
        name=form_input.name or _("Whist drive"),
        date=date,
        form=form_input.form,
        players=form_input.list_players(club),
        house=form_input.house_player_names,
        numbering=form_input.numbering,
        is_started=not form_input.check_in,
        form_key=form_input.form_key,
        by=request.user,
        **form_input.build_terms(load_house_terms(club), load_club_presets(club)),
    )
    if form_input.preset in PRESETS and PRESETS[form_input.preset].is_scored_by_rubbers:
        get_table_marks_hooks().enable_marks(drive, request.user)
    return drive


def _build_context(club: Club, form_input: NewDriveInput, problem: str) -> dict[str, Any]:
    people = sort_by_name(
        club.players.all()[: MAX_LISTED_PLAYERS + 1], lambda player: player.name
    )
    return {
        "club": club,
        "form_input": form_input,
        "is_empty": bool(problem) and not form_input.list_players(club),
        "problem": problem,
        "people": people if len(people) <= MAX_LISTED_PLAYERS else [],
        "preset_groups": _list_preset_groups(club),
        "usual_scoring": describe_usual_scoring(club),
        "drive_names": load_default_drive_names(club),
        "contract_presets": _list_contract_presets(club),
        "shown": Drive.StandingsVisibility.choices,
        "sizes": Drive.PaperSize.choices,
        "own_terms": build_term_fields(form_input.terms),
        "moving": ", ".join(list_adjustable_form_titles()),
        **_build_form_offers_context(club, form_input),
    }


def _list_contract_presets(club: Club) -> list[str]:
    """Return the `preset` values for games with contracts; "" is the club's usual scoring."""
    presets_with_table = select_presets_with_points_table(load_club_presets(club))
    return [
        *([""] if has_contract_scoring(club) else []),
        *(preset.code for preset in list_presets() if preset.game_code),
        *(f"{OWN_PRESET_PREFIX}{name}" for name in presets_with_table),
    ]


def _list_preset_groups(club: Club) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return pairs of a heading and its ways to score, with the club's own ways first.

    A way to score is a pair of its form value and its title.
    """
    whist_presets: list[tuple[str, str]] = []
    contract_presets: list[tuple[str, str]] = []
    other_presets: list[tuple[str, str]] = []
    for preset in list_presets():
        is_whist = preset.is_scored_by_rubbers or preset.scoring.kind is ScoreKind.TRICKS
        plain_presets = whist_presets if is_whist else other_presets
        group_presets = contract_presets if preset.game_code else plain_presets
        group_presets.append((preset.code, str(preset.title)))
    own_presets = [(f"{OWN_PRESET_PREFIX}{name}", name) for name in load_club_presets(club)]
    titled_presets = [
        (_("Our tables"), own_presets),
        (_("Whist"), whist_presets),
        (_("Whists with contracts"), contract_presets),
        (_("Other games"), other_presets),
    ]
    return [(title, presets) for title, presets in titled_presets if presets]


def _build_form_offers_context(club: Club, form_input: NewDriveInput) -> dict[str, Any]:
    player_count = form_input.count_people(club)
    house_player_count = len(form_input.house_player_names)
    own_presets = (
        load_club_presets(club) if form_input.preset.startswith(OWN_PRESET_PREFIX) else {}
    )
    base_preset_code = find_base_preset_code(form_input.preset, own_presets)
    base_preset = find_preset_by_code(base_preset_code)
    has_contracts = (
        bool(base_preset and base_preset.game_code)
        if form_input.preset
        else has_contract_scoring(club)
    )
    offers = list_play_forms(
        player_count if player_count <= MAX_PARTICIPANTS else 0,
        round_count=parse_whole_number(form_input.rounds, maximum=100),
        hand_count=parse_whole_number(form_input.hands, maximum=1000),
        preset_code=base_preset_code,
        house_player_count=house_player_count,
        has_contracts=has_contracts,
        chosen_code=form_input.form,
    )
    play_form = PLAY_FORMS.get(form_input.form, PLAY_FORMS[USUAL_FORMS[0]])
    return {
        "players": player_count,
        "tables_text": describe_tables(player_count, house_player_count),
        "usual_rounds": find_preset(play_form, base_preset_code).round_count,
        "doubts": list_doubts(form_input.parse_pasted_names(club)),
        "too_many": _format_too_many_players_warning(player_count),
        "deal_note": _warn_of_unequal_deals(form_input, base_preset_code),
        "has_contracts": has_contracts,
        "usual": offers[: len(USUAL_FORMS)],
        "others": offers[len(USUAL_FORMS) :],
        "is_other": form_input.form in [offer.code for offer in offers[len(USUAL_FORMS) :]],
        "form_input": form_input,
    }


def _warn_of_unequal_deals(form_input: NewDriveInput, preset_code: str) -> str:
    """Return a note that players deal unequally often in a game with contracts, or ""."""
    preset = find_preset_by_code(preset_code)
    if preset is None or not preset.game_code:
        return ""
    usual_hand_count = preset.scoring.hands_per_round
    hand_count = parse_whole_number(form_input.hands, maximum=1000) or usual_hand_count
    if hand_count % len(SEATS) == 0:
        return ""
    message = ngettext(
        "With %(hands)s hand per round, not everyone deals equally often.",
        "With %(hands)s hands per round, not everyone deals equally often.",
        hand_count,
    )
    return message % {"hands": hand_count}


def _format_too_many_players_warning(player_count: int) -> str:
    """Return a warning about too many players, which is shown before the form is posted."""
    if player_count <= MAX_PARTICIPANTS:
        return ""
    message = _("Enter %(fewest)s–%(most)s players for a drive, not %(count)s.")
    limits = {"fewest": MIN_PARTICIPANTS, "most": MAX_PARTICIPANTS}
    return message % (limits | {"count": player_count})


def _choose_usual_play_form(form_input: NewDriveInput, club: Club) -> NewDriveInput:
    """Return the input with the type of drive that is usual for its way to score."""
    preset_code = find_base_preset_code(form_input.preset, load_club_presets(club))
    preset = find_preset_by_code(preset_code)
    form_code = preset.form_code if preset else ""
    return replace(form_input, form=form_code or form_input.form)


@require_POST
@redirect_unless_htmx("drive_new")
def show_play_forms_fragment(request: HttpRequest) -> HttpResponse:
    """Return the fragment with the types of drive, for the number of players entered so far."""
    requested_club = request.POST.get("club", request.GET.get("club", ""))
    club = permissions.get_current_club(request, requested_club)
    if club is None:
        raise PermissionDenied(_("Only a club’s director can create a drive."))
    form_input = NewDriveInput.from_post(request.POST)
    if request.headers.get("HX-Trigger-Name") == "preset":
        form_input = _choose_usual_play_form(form_input, club)
    return render(request, "drives/_forms.html", _build_form_offers_context(club, form_input))
