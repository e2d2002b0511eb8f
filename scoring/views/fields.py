"""Pages for the seeds, ratings and tags of entries, for strata, and for prizes."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

import scoring.services
import tournaments.services
from boards.whist import WhistError
from clubs import audit
from clubs.views.undo_messages import offer_undo
from scoring import page_loaders
from scoring.errors import StageRefused
from scoring.models import EntryProfile, EventPrize, Final, Strata
from scoring.sheets.field_lists import build_prize_sheet, build_strata_tables
from scoring.standings_engine.overall_order import (
    group_tied_entries,
    list_entries_by_seed,
    load_placed_entries,
    load_strata,
)
from scoring.views.public import (
    build_frame_context,
    explain_hidden_standings,
    load_visible_standings,
)
from server.numbers import parse_exact_number, parse_whole_number
from tournaments.event_access import EventAccess
from tournaments.models import Event, Session

SEEDING_AND_PRIZE_ACTIONS = (
    "entries.profiled",
    "strata.settled",
    "prizes.settled",
    "seats.drawn",
)
STRATUM_ROW_NUMBERS, EMPTY_PRIZE_ROW_COUNT = range(1, 5), 3


class StrataForm(forms.Form):
    """The rule that assigns entries to strata."""

    rule = forms.ChoiceField(label=gettext_lazy("Strata by"), choices=Strata.Rule.choices)


@require_http_methods(["GET", "POST"])
def edit_seeds(request: HttpRequest, slug: str) -> HttpResponse:
    """Save seeds, ratings, strata and tags, create strata, or seat the entries by seeds."""
    access = page_loaders.load_director_event(request, slug)
    problem = ""
    if request.method == "POST":
        try:
            _run_action(request, access)
            return redirect("seeds", slug)
        except WhistError as error:
            problem = str(error)
    context = _build_context(access, request) | {"problem": problem}
    return render(request, "scoring/seeds.html", context, status=400 if problem else 200)


def _run_action(request: HttpRequest, access: EventAccess) -> None:
    action, event = request.POST.get("act", ""), access.event
    if action == "strata":
        strata_lines = [
            (name, request.POST.get(f"least_{row_number}", "").strip())
            for row_number in STRATUM_ROW_NUMBERS
            if (name := request.POST.get(f"name_{row_number}", "").strip())
        ]
        scoring.services.set_strata(
            event=event, lines=strata_lines, rule=request.POST.get("rule", ""), by=request.user
        )
        _show_success(request, access, "seeds", _("Strata saved."))
        return
    if action == "ranking":
        profile_data_by_number = _compute_seeds_from_ranking(event)
        scoring.services.set_entry_profiles(
            event=event, profiles_by_number=profile_data_by_number, by=request.user
        )
        _show_success(request, access, "seeds", _("Seeds set from the standings."))
        return
    if action == "seat":
        session = page_loaders.load_session(access)
        tournaments.services.seat_entries_by_seeds(
            session=session, seeded_entry_numbers=list_entries_by_seed(event), by=request.user
        )
        _show_success(request, access, "seeds", _("Everyone is seated by seed."))
        return
    scoring.services.set_entry_profiles(
        event=event, profiles_by_number=_read_profiles(request, event), by=request.user
    )
    _show_success(request, access, "seeds", _("Seeds, ratings and tags saved."))


def _compute_seeds_from_ranking(event: Event) -> dict[int, dict[str, Any]]:
    """Return {entry number: {"seed": seed}} by the ranking of the event.

    In a final, entries are numbered by their rank in the qualifying event, so the seed is the
    entry number.
    """
    final = Final.objects.filter(event=event).first()
    if final is not None:
        return {
            entry_number: {"seed": entry_number}
            for entry_number in range(1, len(final.brought) + 1)
        }
    ranked_entries = [
        placed_entry.entry_number
        for tied_entries in group_tied_entries(load_placed_entries(event))
        for placed_entry in tied_entries
    ]
    if not ranked_entries:
        raise StageRefused(_("This event has no standings yet."))
    return {
        entry_number: {"seed": seed_number}
        for seed_number, entry_number in enumerate(ranked_entries, start=1)
    }


def _read_profiles(request: HttpRequest, event: Event) -> dict[int, dict[str, Any]]:
    profile_data_by_number = {}
    for entry_number in event.entries.values_list("number", flat=True):
        if f"seed_{entry_number}" not in request.POST:
            continue
        seed_text = request.POST[f"seed_{entry_number}"].strip()
        seed_number = parse_whole_number(seed_text, maximum=999)
        if seed_text and seed_number is None:
            raise StageRefused(_("“%(seed)s” isn’t a seed.") % {"seed": seed_text[:20]})
        profile_data_by_number[entry_number] = {
            "seed": seed_number if seed_text else None,
            "ratings": request.POST.get(f"ratings_{entry_number}", "")
            .replace(",", " ")
            .split(),
            "tags": request.POST.get(f"tags_{entry_number}", "").split(","),
            "stratum": request.POST.get(f"stratum_{entry_number}", ""),
        }
    return profile_data_by_number


def _build_context(access: EventAccess, request: HttpRequest) -> dict[str, Any]:
    event = access.event
    strata = Strata.objects.filter(event=event).first()
    strata_lines = list(strata.lines) if strata else []
    strata_lines += [["", ""]] * (len(STRATUM_ROW_NUMBERS) - len(strata_lines))
    profile_by_entry = {
        entry_profile.entry_id: entry_profile
        for entry_profile in EntryProfile.objects.filter(entry__event=event)
    }
    session = access.session
    stratum_by_entry = load_strata(event)
    return access.context | {
        "strata": strata,
        "names": [name for name, _minimum_rating in strata.lines] if strata else [],
        "form": StrataForm(initial={"rule": strata.rule if strata else Strata.Rule.MANUAL}),
        "lines": [
            {
                "nr": row_number,
                "name": name,
                "least": "" if minimum_rating == "0" else minimum_rating,
            }
            for row_number, (name, minimum_rating) in zip(
                STRATUM_ROW_NUMBERS, strata_lines, strict=False
            )
        ],
        "rows": [
            {
                "entry": entry,
                "profile": profile_by_entry.get(entry.pk) or EntryProfile(),
                "stratum": stratum_by_entry.get(entry.number, ""),
            }
            for entry in event.entries.all()
        ],
        "may_seat": session.state == Session.State.PLANNED and session.sections.exists(),
    }


@require_http_methods(["GET", "POST"])
def edit_prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the prize list, and show the winners with the reasons."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    problem = ""
    if request.method == "POST":
        try:
            submitted_prizes = _read_prizes(request.POST)
            scoring.services.set_prizes(event=event, prizes=submitted_prizes, by=request.user)
            _show_success(request, access, "prizes", _("Prizes saved."))
            return redirect("prizes", slug)
        except WhistError as error:
            problem = str(error)
    context = access.context | {
        "problem": problem,
        "rows": _build_prize_rows(event, request.POST if problem else None),
        "lists": _list_prize_lists(event),
        "sheet": build_prize_sheet(event) if event.prizes.exists() else None,
    }
    return render(request, "scoring/prizes.html", context, status=400 if problem else 200)


def _read_prizes(post_data: Mapping[str, Any]) -> list[dict[str, Any]]:
    prizes = []
    for row_number in range(1, 70):
        name = post_data.get(f"name_{row_number}", "").strip()
        if not name:
            continue
        value_text, place_text = (
            post_data.get(f"value_{row_number}", "").strip(),
            post_data.get(f"place_{row_number}", "1"),
        )
        prizes.append(
            {
                "name": name,
                "listed": post_data.get(f"listed_{row_number}", "all"),
                "place": parse_whole_number(place_text, maximum=999) or 0,
                "kind": EventPrize.Kind.MONEY if value_text else EventPrize.Kind.HONOUR,
                "value": _parse_cents(value_text) if value_text else 0,
            }
        )
    return prizes


def _parse_cents(amount_text: str) -> int:
    try:
        cents = parse_exact_number(amount_text) * 100
    except ValueError:
        cents = parse_exact_number("1/3")  # not whole cents, so it is rejected below
    if cents.denominator > 1 or cents < 0:
        raise StageRefused(
            _("“%(text)s” isn’t an amount. Enter 30 or 12.50.") % {"text": amount_text[:20]}
        )
    return cents.numerator


def _build_prize_rows(
    event: Event, post_data: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Return the rows of the form: the prizes as stored or submitted, and some empty ones."""
    if post_data is not None:
        prize_data = [
            {
                field_name: post_data.get(f"{field_name}_{row_number}", "")
                for field_name in ("name", "listed", "place", "value")
            }
            for row_number in range(1, 70)
            if post_data.get(f"name_{row_number}", "").strip()
        ]
    else:
        prize_data = [
            {
                "name": prize.name,
                "listed": prize.listed,
                "place": str(prize.place),
                "value": f"{prize.value // 100}.{prize.value % 100:02d}" if prize.value else "",
            }
            for prize in event.prizes.all()
        ]
    empty_row = {"name": "", "listed": "all", "place": "1", "value": ""}
    prize_rows = [*prize_data, *([empty_row] * EMPTY_PRIZE_ROW_COUNT)]
    return [
        {"nr": row_number, **prize_row}
        for row_number, prize_row in enumerate(prize_rows, start=1)
    ]


def _list_prize_lists(event: Event) -> list[tuple[str, str]]:
    """Return the key ("side:NS") and the title of each list in which a prize can be won."""
    prize_lists_with_titles = [("all", _("everyone"))]
    strata_lines = event.strata.lines if hasattr(event, "strata") else []
    prize_lists_with_titles += [
        (f"stratum:{name}", _("stratum %(name)s") % {"name": name})
        for name, _minimum_rating in strata_lines
    ]
    prize_lists_with_titles += [("side:NS", _("best N-S")), ("side:EW", _("best E-W"))]
    tag_lists = EntryProfile.objects.filter(entry__event=event).values_list("tags", flat=True)
    tag_words = sorted({tag_word for tags in tag_lists for tag_word in tags})
    prize_lists_with_titles += [(f"tag:{tag_word}", tag_word) for tag_word in tag_words]
    known_list_keys = {prize_list_key for prize_list_key, _title in prize_lists_with_titles}
    prize_lists_with_titles += [
        (prize.listed, prize.listed.partition(":")[2])
        for prize in event.prizes.all()
        if prize.listed not in known_list_keys and ":" in prize.listed
    ]
    return [*prize_lists_with_titles, ("lot", _("random draw"))]


def _show_success(
    request: HttpRequest, access: EventAccess, url_name: str, message: str
) -> None:
    acts = audit.list_acts(access.event).filter(action__in=SEEDING_AND_PRIZE_ACTIONS)
    offer_undo(request, message, acts, reverse(url_name, args=[access.address]))


@login_not_required
@require_safe
def show_awards(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everyone the ranking of each stratum, and after the end the prizes."""
    access = page_loaders.load_public_event(slug)
    event = access.event
    rank_table = load_visible_standings(event)
    is_over = event.state == Session.State.CLOSED
    context = build_frame_context(access) | {
        "table": rank_table,
        "hidden_text": "" if rank_table else explain_hidden_standings(event),
        "tables": build_strata_tables(event, rank_table)
        if rank_table and rank_table.has_begun
        else (),
        "sheet": build_prize_sheet(event)
        if rank_table and is_over and event.prizes.exists()
        else None,
        "prizes": event.prizes.exists(),
    }
    return render(request, "scoring/awards.html", context)
