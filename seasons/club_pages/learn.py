"""The pages of the five lessons on whist, results and the first night at a club."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from server import formatting

EXAMPLE_TRICKS = (5, 6, 6, 7, 8, 7, 10)
"""The tricks of North-South on one board at seven tables; the mean is 7."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: its key in URLs and template names, its title and its summary."""

    slug: str
    title: str | Promise
    summary: str | Promise

    @property
    def view_name(self) -> str:
        """The name of the lesson's URL pattern."""
        return f"learn_{self.slug}"


LESSONS = (
    Lesson("game", _("Duplicate whist in five minutes"), _("Tricks, trumps and boards.")),
    Lesson("evening", _("Your first evening"), _("What happens at the table, step by step.")),
    Lesson("figures", _("How scores are worked out"), _("Plus and minus explained.")),
    Lesson("words", _("Whist terms"), _("A short glossary, with the bridge terms.")),
    Lesson("first_night", _("Direct your first event"), _("Eight steps and a tour.")),
)


@login_not_required
@require_safe
def show_learning_overview(request: HttpRequest) -> HttpResponse:
    """Show the overview of lessons, laws, movements and hands to replay."""
    return render(request, "seasons/learn.html", {"pages": LESSONS})


def build_lesson_view(lesson_index: int) -> Callable[[HttpRequest], HttpResponse]:
    """Return the view function of a lesson, whose page also links to the next lesson."""
    lesson, next_lessons = LESSONS[lesson_index], LESSONS[lesson_index + 1 : lesson_index + 2]

    @login_not_required
    @require_safe
    def view(request: HttpRequest) -> HttpResponse:
        context = {
            "page": lesson,
            "after": next_lessons[0] if next_lessons else None,
            "example": list(_build_example_rows()),
        }
        return render(request, f"seasons/learn/{lesson.slug}.html", context)

    return view


def _build_example_rows() -> list[tuple[int, int, str, int, str]]:
    """Return (table, N-S tricks, N-S plus/minus, E-W tricks, E-W plus/minus) of each table."""
    mean_tricks = sum(EXAMPLE_TRICKS) // len(EXAMPLE_TRICKS)
    return [
        (
            table_number,
            ns_tricks,
            formatting.format_signed(ns_tricks - mean_tricks),
            13 - ns_tricks,
            formatting.format_signed(mean_tricks - ns_tricks),
        )
        for table_number, ns_tricks in enumerate(EXAMPLE_TRICKS, start=1)
    ]
