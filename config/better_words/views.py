"""The page on which directors suggest a better translation."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.today import get_zone_date
from config.better_words.suggestions import (
    InvalidSuggestion,
    find_messages,
    list_placeholders,
    load_catalogue,
    store_suggestion,
)
from config.catalogues import Catalogue, Message

MAX_QUERY_LENGTH = 200


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A found message, with the texts in the form's fields for its translations."""

    message: Message
    translations: tuple[str, ...]
    placeholders: tuple[str, ...]
    problem: str = ""
    """The reason why the suggested translation was refused, or ""."""


@require_http_methods(["GET", "HEAD", "POST"])
def suggest_translation(request: HttpRequest) -> HttpResponse:
    """Find a text by its words, and store a better translation of it."""
    language = to_locale(get_language() or settings.LANGUAGE_CODE)
    catalogue = load_catalogue(language)
    query = " ".join(request.GET.get("q", "").split())[:MAX_QUERY_LENGTH]
    hits: list[FoundMessage] = []
    if catalogue and request.method == "POST":
        posted_hit = _read_posted_hit(request, catalogue)
        try:
            store_suggestion(
                Path(settings.DATA_DIR),
                language,
                posted_hit.message,
                posted_hit.translations,
                get_zone_date("UTC"),
            )
        except InvalidSuggestion as error:
            hits = [_build_hit(posted_hit.message, posted_hit.translations, str(error))]
        else:
            messages.success(request, _("Suggestion saved. Thank you!"))
            return redirect(f"{reverse('better_words')}?{urlencode({'q': query})}")
    elif catalogue:
        hits = [
            _build_hit(message, message.translations)
            for message in find_messages(catalogue, query)
        ]
    context = {
        "query": query,
        "has_catalogue": catalogue is not None,
        "hits": hits,
        "language": get_language(),
        "has_file": _get_suggestion_path(language).exists(),
    }
    has_problem = any(hit.problem for hit in hits)
    return render(request, "better_words.html", context, status=400 if has_problem else 200)


@require_safe
def download_suggestions(_request: HttpRequest) -> HttpResponseBase:
    """Send the file with all suggestions for the page's language."""
    suggestion_path = _get_suggestion_path(to_locale(get_language() or settings.LANGUAGE_CODE))
    if not suggestion_path.exists():
        raise Http404
    return FileResponse(
        suggestion_path.open("rb"),
        as_attachment=True,
        filename=f"better-{suggestion_path.name}",
    )


def _get_suggestion_path(language: str) -> Path:
    return Path(settings.DATA_DIR, "better-words", f"{language}.po")


def _read_posted_hit(request: HttpRequest, catalogue: Catalogue) -> FoundMessage:
    """Return the posted message and translations; raise Http404 for an unknown message."""
    context_and_text = (request.POST.get("context", ""), request.POST.get("text", ""))
    for message in catalogue.messages:
        if (message.context, message.text) == context_and_text:
            posted_texts = request.POST.getlist("translation")[: len(message.translations)]
            posted_translations = tuple(
                posted_text.replace("\r\n", "\n") for posted_text in posted_texts
            )
            empty_translations = ("",) * (len(message.translations) - len(posted_translations))
            return _build_hit(message, posted_translations + empty_translations)
    raise Http404


def _build_hit(
    message: Message, translations: tuple[str, ...], problem: str = ""
) -> FoundMessage:
    return FoundMessage(message, translations, tuple(list_placeholders(message)), problem)
