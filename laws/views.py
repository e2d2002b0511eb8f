"""The public pages of the law books: search, links to each law, and PDFs to hang on a wall."""

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from laws import wall_sheet
from laws.book import (
    LAWS_SOURCE,
    SITUATIONS_BY_MOMENT,
    LawBookMatches,
    format_citation,
    search_law_book,
)
from laws.book.situation import Situation
from laws.single_table import (
    ETIQUETTE,
    ETIQUETTE_INTRODUCTION,
    ETIQUETTE_SOURCE,
    LAW_BOOKS_BY_CODE,
    LawBook,
    list_frequent_incidents,
    search_book,
)
from printing.paper import Size
from server.downloads import PDF_CONTENT_TYPE, build_file_response


class OriginPage(Protocol):
    """The page from which a reader came; law pages show the navigation bar of its event."""

    @property
    def event(self) -> object:
        """The event from which the reader came, for its navigation bar."""


FindOriginPage = Callable[[str], OriginPage | None]

PAPER_SIZES: dict[str, Size] = {"A4": "A4", "Letter": "Letter"}


@login_not_required
@require_safe
def show_laws(request: HttpRequest, find_origin_page: FindOriginPage) -> HttpResponse:
    """Show the laws, typical situations and our interpretations, or the results of a search.

    `find_origin_page` takes the value of `?event=`, and returns the page from which the reader
    came, or None. The navigation bar of that page's event then stays visible.
    """
    query = " ".join(request.GET.get("q", "").split())[:100]
    matches = search_law_book(query)
    origin_page = find_origin_page(request.GET.get("event", ""))
    context = {
        "page": "laws",
        "query": query,
        "adopted": _(LAWS_SOURCE),
        "matches": matches,
        "groups": group_situations(matches),
        "print_links": _list_print_links(_("Print laws, %(size)s"), "laws_pdf"),
        "books": list(LAW_BOOKS_BY_CODE.values()),
        "access": origin_page,
        "event": origin_page.event if origin_page else None,
    }
    return render(request, "laws/laws.html", context)


@login_not_required
@require_safe
def show_law_book(request: HttpRequest, code: str) -> HttpResponse:
    """Show a law book for a single table, or the results of a search in it."""
    book = _get_book_or_404(code)
    query = " ".join(request.GET.get("q", "").split())[:100]
    context = {
        "page": "laws",
        "book": book,
        "query": query,
        "matches": search_book(book, query),
        "frequent_incidents": [] if query else list_frequent_incidents(book),
        "print_links": _list_print_links(_("Print laws, %(size)s"), "law_book_pdf", code),
        "books": list(LAW_BOOKS_BY_CODE.values()),
    }
    return render(request, "laws/law_book.html", context)


@login_not_required
@require_safe
def show_etiquette(request: HttpRequest) -> HttpResponse:
    """Show the etiquette of whist, which no law enforces."""
    context = {
        "page": "etiquette",
        "etiquette": ETIQUETTE,
        "about": _(ETIQUETTE_INTRODUCTION),
        "source": _(ETIQUETTE_SOURCE),
        "print_links": _list_print_links(_("Print notice, %(size)s"), "etiquette_pdf"),
        "books": list(LAW_BOOKS_BY_CODE.values()),
    }
    return render(request, "laws/etiquette.html", context)


@login_not_required
@require_safe
def download_laws_pdf(request: HttpRequest, size: str) -> HttpResponse:
    """Return the laws of duplicate whist as a PDF to hang on a wall."""
    return _build_pdf_response("duplicate-whist", size)


@login_not_required
@require_safe
def download_law_book_pdf(request: HttpRequest, code: str, size: str) -> HttpResponse:
    """Return a law book for a single table as a PDF to hang on a wall."""
    return _build_pdf_response(_get_book_or_404(code).code, size)


@login_not_required
@require_safe
def download_etiquette_pdf(request: HttpRequest, size: str) -> HttpResponse:
    """Return the etiquette of whist as a PDF of one page in large type."""
    return _build_pdf_response("etiquette", size)


def _list_print_links(label_format: str, url_name: str, *args: str) -> list[tuple[str, str]]:
    """Return the label and the URL of a PDF for each paper size."""
    return [
        (label_format % {"size": paper_size}, reverse(url_name, args=[*args, paper_size]))
        for paper_size in PAPER_SIZES
    ]


def _get_book_or_404(code: str) -> LawBook:
    if code not in LAW_BOOKS_BY_CODE:
        raise Http404(_("Law book not found."))
    return LAW_BOOKS_BY_CODE[code]


def _build_pdf_response(sheet_name: str, paper_size: str) -> HttpResponse:
    if paper_size not in PAPER_SIZES:
        raise Http404(_("Choose A4 or Letter."))
    pdf = _render_pdf(sheet_name, PAPER_SIZES[paper_size], get_language())
    file_stem = "etiquette-of-whist" if sheet_name == "etiquette" else f"laws-of-{sheet_name}"
    return build_file_response(pdf, PDF_CONTENT_TYPE, f"{file_stem}.pdf", is_inline=True)


def group_situations(
    matches: LawBookMatches,
) -> list[tuple[str, list[tuple[Situation, list[tuple[str, str]]]]]]:
    """Group the matching situations by moment of play.

    Returns a pair for each moment: its heading, and its situations. A situation is a pair too:
    the `Situation`, and a list with the key and the citation of each law to link to.
    """
    matching_codes = {situation.code for situation in matches.situations}
    situation_groups = [
        (
            _(moment.value),
            [
                (
                    situation,
                    [
                        (section_key, format_citation(section_key))
                        for section_key in situation.laws
                    ],
                )
                for situation in situations
                if situation.code in matching_codes
            ],
        )
        for moment, situations in SITUATIONS_BY_MOMENT.items()
    ]
    return [(heading, situations) for heading, situations in situation_groups if situations]


@lru_cache(maxsize=32)
def _render_pdf(sheet_name: str, paper_size: Size, language: str | None) -> bytes:
    """Return the PDF of a sheet, cached by size and language."""
    if sheet_name == "etiquette":
        return wall_sheet.draw_etiquette(paper_size=paper_size)
    if sheet_name in LAW_BOOKS_BY_CODE:
        return wall_sheet.draw_law_book(sheet_name, paper_size=paper_size)
    return wall_sheet.draw_laws(paper_size=paper_size)
