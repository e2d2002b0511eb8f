"""The public pages that prove how the boards of a session were dealt.

Before play they show only a commitment: a hash of the secret from which the boards are dealt.
After the session they show the secret and a proof.
"""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from boards import proof
from scoring import page_loaders
from scoring.sheets.proofs import get_published_proof, load_provenance, verify_session_deals
from scoring.views.public import build_frame_context, parse_session_number
from server.downloads import build_file_response
from server.errors import PageNotReady


@login_not_required
@require_safe
def show_deals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the published data about the deals, for each board set."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    session = page_loaders.load_session(access)
    context = build_frame_context(access) | {
        "session": session,
        "sealed": load_provenance(session),
    }
    return render(request, "scoring/deals_public.html", context)


@login_not_required
@require_safe
def download_proof(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the proof as a file, once the session is closed."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    published_proof = get_published_proof(page_loaders.load_session(access))
    if published_proof is None:
        raise PageNotReady(_("No proof yet. The secret is published after the session."))
    file_name = f"{access.event.slug}-proof.json"
    return build_file_response(
        proof.format_deal_proof(published_proof), "application/json", file_name
    )


@login_not_required
@require_safe
def show_verification(request: HttpRequest, slug: str) -> HttpResponse:
    """Deal every board again from the published secret, and show the comparison."""
    access = page_loaders.load_public_event(slug).with_session(parse_session_number(request))
    session = page_loaders.load_session(access)
    verification = verify_session_deals(session)
    if verification is None:
        raise PageNotReady(
            _("These boards can’t be dealt again until their secret is published.")
        )
    context = build_frame_context(access) | {
        "verification": verification,
        "sealed": load_provenance(session),
    }
    return render(request, "scoring/deals_verify.html", context)
