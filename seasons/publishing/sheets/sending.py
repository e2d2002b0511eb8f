"""The data of the uploads page: waiting, sent and refused documents of a club."""

from typing import Any
from urllib.parse import urlsplit

from django.db.models import Max

from clubs.models import Act, Club
from seasons.publishing.documents.writing import (
    list_activities_to_publish,
    query_events_to_publish,
)
from seasons.publishing.models import Destination, Publication
from server.jobs.progress import read_progress

MAX_SHOWN_DOCUMENTS = 30
State = Publication.State


def load_upload_state(club: Club) -> dict[str, Any]:
    """Return the data of the uploads page; the number of queries is fixed."""
    destination = Destination.objects.filter(club=club).first()
    publications = list(Publication.objects.filter(club=club).order_by("-sent_at", "-pk"))
    publication_by_uid = {
        publication.uid: publication
        for publication in publications
        if publication.state != State.WAITING
    }
    unsent_evening_names = (
        _list_unsent_evening_names(club, publication_by_uid) if destination else []
    )
    job = read_progress("results_sent", destination.pk if destination else None)
    return {
        "to": destination,
        "host": urlsplit(destination.address).netloc if destination else "",
        "waiting": len(unsent_evening_names),
        "waiting_names": unsent_evening_names[:3],
        "sent": [
            publication for publication in publications if publication.state != State.WAITING
        ][:MAX_SHOWN_DOCUMENTS],
        "at_work": job.is_waiting,
        "failed": job.error,
        "done": sum(publication.state == State.SENT for publication in publications),
    }


def _list_unsent_evening_names(
    club: Club, publication_by_uid: dict[Any, Publication]
) -> list[str]:
    """Return the names of evenings that were never sent, or have changed since the upload."""
    events = query_events_to_publish(club).values_list("uid", "name", "slug")
    document_rows = [(uid, name, f"event:{slug}") for uid, name, slug in events]
    document_rows += [
        (activity.uid, activity.name, activity.audit_key)
        for activity in list_activities_to_publish(club)
    ]
    audit_keys = [audit_key for _uid, _name, audit_key in document_rows]
    change_acts = Act.objects.filter(club=club.slug, about__in=audit_keys[-500:]).values(
        "about"
    )
    change_times_by_audit_key = dict(
        change_acts.order_by().annotate(last=Max("at")).values_list("about", "last")
    )
    unsent_evening_names = []
    for uid, name, audit_key in document_rows:
        publication = publication_by_uid.get(uid)
        change_time = change_times_by_audit_key.get(audit_key)
        if publication is None or (
            publication.sent_at
            and change_time
            and change_time > publication.sent_at
            and publication.state == State.SENT
        ):
            unsent_evening_names.append(name)
    return unsent_evening_names
