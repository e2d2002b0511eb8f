"""Page on which a director sees and edits how an event is scored."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import scoring.services
from boards.whist import WhistError
from scoring import page_loaders
from scoring.forms import TermsForm
from scoring.standings_engine.scores import find_scoring_method


@require_http_methods(["GET", "POST"])
def edit_terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and change how an event is scored: the method, the tie-breaks and the carry-over."""
    access = page_loaders.load_director_event(request, slug)
    event = access.event
    form = TermsForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid():
        try:
            scoring.services.set_scoring_terms(
                event=event, by=request.user, **form.build_terms()
            )
        except WhistError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Scoring saved. The standings update automatically."))
            return redirect("terms", slug)
    context = access.context | {
        "form": form,
        "method": find_scoring_method(event),
    }
    return render(request, "scoring/terms.html", context, status=400 if form.errors else 200)
