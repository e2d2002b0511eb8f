"""The page that creates a drive, from pasted names to the first call."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date as Date
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

import drives.services
from boards.whist import WhistError
from clubs import access
from clubs.models import Club
from clubs.names.tidy import clean_name, name_key
from clubs.services.people import known_keys
from clubs.today import today_at
from drives.draw.company import FEWEST, MOST, MOST_ROUNDS
from drives.errors import DriveRefused
from drives.forms import FORMS
from drives.models import Drive, HouseTerms
from drives.names import PastedName, doubts_of, read_names
from drives.scores.presets import PRESETS
from drives.services import NewPlayer
from drives.services.beginning import BY_CARDS, MOST_HANDS
from drives.sheets.custom import moving_forms, terms_asked, terms_read
from drives.sheets.starting import USUAL, offers, preset_of
from drives.table_marks import table_marks
from server.fragments import fragment_of
from server.numbers import whole_number

MOST_LISTED = 400
"""The maximum of a club's players to tick; larger clubs paste names."""
MOST_TEXT = 200_000
OWN = "own:"
"""The prefix of the form values of a club's own ways to score."""
MOST_TYPED = 99_999
"""The largest number that is read, so that a refusal can show it."""
NO_PRESETS: Mapping[str, Any] = {}


@dataclass
class NewDriveInput:
    """The values of the form; everything but the players has a default."""

    names: str = ""
    count: str = ""
    chosen: frozenset[str] = frozenset()
    form: str = USUAL[0]
    name: str = ""
    date: str = ""
    preset: str = ""
    rounds: str = ""
    hands: str = ""
    numbering: str = "arrival"
    first_word: str = ""
    second_word: str = ""
    house: str = ""
    sure: str = ""  # the user confirmed names that may be misread
    halves: bool = True
    standings_shown: str = "after"
    paper_size: str = "A4"
    own: dict[str, Any] = field(default_factory=dict)  # the terms of the form
    form_key: str = field(default_factory=lambda: get_random_string(24))

    @classmethod
    def of(cls, posted: Any) -> "NewDriveInput":
        """Read a posted form."""
        words = {
            name: posted.get(name, "").replace("\0", "").strip()[:MOST_TEXT]
            for name in cls.__dataclass_fields__
            if name not in ("chosen", "halves", "own") and name in posted
        }
        chosen = frozenset(posted.getlist("chosen"))
        return cls(**words, chosen=chosen, halves="halves" in posted, own=terms_read(posted))

    def players(self, club: Club) -> list[NewPlayer]:
        """All people who are to have a card, the pasted names first."""
        pasted = self.pasted(club)
        new = [NewPlayer(name=p.name, number=p.number, role=p.role) for p in pasted]
        if self.chosen:
            keys = [key for key in map(whole_number, self.chosen) if key]
            there = {name_key(each.name) for each in new}
            people = club.players.filter(pk__in=keys).order_by("name")
            new += [NewPlayer(player=p) for p in people if name_key(p.name) not in there]
        count = whole_number(self.count, most=MOST_TYPED) or 0
        return new + [NewPlayer()] * max(0, count - len(new))

    def pasted(self, club: Club) -> list[PastedName]:
        """The parsed names of the pasted text."""
        known = known_keys(club) if self.names else set()
        return read_names(
            self.names,
            first=self.first_word,
            second=self.second_word,
            known=known,
            has_cards=self.numbering == BY_CARDS,
        )

    def check_names(self, club: Club) -> None:
        """Raise DriveRefused for names that may be misread, unless the user confirmed them."""
        if not self.sure and doubts_of(self.pasted(club)):
            raise DriveRefused(_("Check how the names were read, then tick the box."))

    def check_numbers(self) -> None:
        """Raise DriveRefused for an invalid number; an empty box means the default."""
        rounds = _("“%(typed)s” is no number of rounds: write 1 to %(most)s, or nothing.")
        hands = _("“%(typed)s” is no number of hands: write 1 to %(most)s, or nothing.")
        count = _(
            "“%(typed)s” is no number of players: write %(least)s to %(most)s, or nothing."
        )
        for typed, most, words in (
            (self.rounds, MOST_ROUNDS, rounds),
            (self.hands, MOST_HANDS, hands),
            (self.count, MOST, count),
        ):
            if typed and whole_number(typed, most=most) is None:
                told = {"typed": typed[:20], "least": FEWEST, "most": most}
                raise DriveRefused(words % told)

    @property
    def volunteers(self) -> list[str]:
        """The house players' names, separated by commas or lines."""
        lines = self.house.replace(",", "\n").splitlines()
        return [clean_name(line) for line in lines if line.strip()]

    def terms(
        self, kept: Mapping[str, Any], presets: Mapping[str, Any] = NO_PRESETS
    ) -> dict[str, Any]:
        """Return the terms for the service; the score may be one that the house has saved.

        `presets` are the club's own ways to score, by name.
        """
        form = FORMS[self.form]
        usual = preset_of(form, self.preset)
        scoring = usual.scoring
        score: dict[str, Any] = {"kind": str(scoring.kind)}
        for name, value in (
            ("sum", scoring.total),
            ("extras", scoring.extras),
            ("low", scoring.low),
            ("high", scoring.high),
        ):
            if value is not None:
                score[name] = value
        if scoring.step != 1:
            score["step"] = scoring.step
        score = dict(presets.get(self.preset.removeprefix(OWN), score))
        own_score = {} if "score" in kept and not self.preset else {"score": score}
        own_trumps = {"trumps": usual.trumps} if usual.trumps else {}
        return (
            own_score
            | own_trumps
            | {
                "rounds": whole_number(self.rounds) if self.rounds else usual.rounds,
                "hands": whole_number(self.hands) if self.hands else scoring.hands,
                "first_word": self.first_word,
                "second_word": self.second_word,
                "halves": self.halves,
                "standings_shown": self.standings_shown,
                "paper_size": self.paper_size,
                "terms": self._custom(kept),
            }
        )

    def _custom(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return the chosen custom; values filled in for the house's form apply only to it."""
        is_other = self.form != kept.get("form", self.form)
        return {} if is_other and self.own == kept.get("terms", {}) else self.own


@require_http_methods(["GET", "POST"])
def drive_new(request: HttpRequest) -> HttpResponse:
    """Create a drive, or show the problem; all or nothing is written."""
    club = access.club_at_hand(request, request.POST.get("club", request.GET.get("club", "")))
    if club is None:
        raise PermissionDenied(_("Only a director of a club can begin a drive."))
    timezone.activate(club.zone)
    asked = NewDriveInput.of(request.POST) if request.method == "POST" else _first(club)
    problem = ""
    if request.method == "POST":
        try:
            drive = _begun(request, club, asked)
        except ValidationError as refused:
            problem = " ".join(refused.messages)
        except WhistError as refused:
            problem = str(refused)
        else:
            return redirect("drive_desk", drive.slug)
    status = 422 if problem else 200
    return render(request, "drives/new.html", _context(club, asked, problem), status=status)


def _first(club: Club) -> NewDriveInput:
    """Return an empty form with the house's defaults."""
    kept = _kept(club)
    words = ("name", "rounds", "hands", "first_word", "second_word", "standings_shown",
             "paper_size")  # fmt: skip
    filled: dict[str, Any] = {name: str(kept[name]) for name in words if kept.get(name)}
    if kept.get("form") in FORMS:
        filled |= {"form": kept["form"], "own": kept.get("terms", {})}
    usual = {"name": _("Whist drive"), "date": today_at(club).isoformat()}
    return NewDriveInput(**(usual | filled), halves=bool(kept.get("halves", True)))


def _kept(club: Club) -> dict[str, Any]:
    row = HouseTerms.objects.filter(club=club).first()
    return row.terms if row else {}


def _presets(club: Club) -> dict[str, Any]:
    row = HouseTerms.objects.filter(club=club).first()
    return row.presets if row else {}


def _begun(request: HttpRequest, club: Club, asked: NewDriveInput) -> Drive:
    if asked.form not in FORMS:
        raise ValidationError(_("Choose a form."))
    asked.check_numbers()
    asked.check_names(club)
    try:
        date = Date.fromisoformat(asked.date)
    except ValueError:
        raise ValidationError(_("Write the date as 2026-11-27.")) from None
    drive = drives.services.begin_drive(
        club=club,
        name=asked.name or _("Whist drive"),
        date=date,
        form=asked.form,
        players=asked.players(club),
        house=asked.volunteers,
        numbering=asked.numbering,
        form_key=asked.form_key,
        by=request.user,
        **asked.terms(_kept(club), _presets(club)),
    )
    if asked.preset in PRESETS and PRESETS[asked.preset].is_marked:
        table_marks().begin(drive, request.user)
    return drive


def _context(club: Club, asked: NewDriveInput, problem: str) -> dict[str, Any]:
    people = list(club.players.order_by("name")[: MOST_LISTED + 1])
    return {
        "club": club,
        "asked": asked,
        "problem": problem,
        "people": people if len(people) <= MOST_LISTED else [],
        "presets": PRESETS.values(),
        "own_presets": [(f"{OWN}{name}", name) for name in _presets(club)],
        "shown": Drive.Shown.choices,
        "sizes": Drive.PaperSize.choices,
        "own_terms": terms_asked(asked.own),
        "moving": ", ".join(moving_forms()),
        **_offered(club, asked),
    }


def _offered(club: Club, asked: NewDriveInput) -> dict[str, Any]:
    players = len(asked.players(club))
    found = offers(
        players if players <= MOST else 0,
        rounds=whole_number(asked.rounds, most=100),
        hands=whole_number(asked.hands, most=1000),
        preset=asked.preset,
        house=len(asked.volunteers),
    )
    return {
        "players": players,
        "doubts": doubts_of(asked.pasted(club)),
        "too_many": _too_many(players),
        "usual": found[: len(USUAL)],
        "others": found[len(USUAL) :],
        "is_other": asked.form not in USUAL,
        "asked": asked,
    }


def _too_many(players: int) -> str:
    """Return a warning about too many players, shown before the form is sent."""
    if players <= MOST:
        return ""
    words = _("A drive has %(fewest)s to %(most)s players, not %(count)s.")
    return words % {"fewest": FEWEST, "most": MOST, "count": players}


@require_POST
@fragment_of("drive_new")
def drive_costs(request: HttpRequest) -> HttpResponse:
    """Return the fragment of the forms with their drawbacks for the players pasted so far."""
    club = access.club_at_hand(request, request.POST.get("club", request.GET.get("club", "")))
    if club is None:
        raise PermissionDenied(_("Only a director of a club can begin a drive."))
    return render(request, "drives/_forms.html", _offered(club, NewDriveInput.of(request.POST)))
