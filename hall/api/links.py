"""The API of the links for the tables' phones: create, list and revoke."""

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.serializers import TableLinkSerializer, build_table_links_response
from clubs.models import TableLink
from hall.phones import services
from scoring import page_loaders
from server.api.endpoints import EmptySerializer, describe_operation, endpoint, validate_body


@describe_operation(
    "GET", "table_links", TableLinkSerializer(many=True), error_statuses=(401, 403, 404)
)
@describe_operation("POST", "table_links_make", TableLinkSerializer(many=True), request=None)
@endpoint("GET", "POST", is_public=False)
def list_or_create_table_links(request: Request, slug: str, number: int) -> Response:
    """List the valid table links, or create a link for each table that has none."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    if request.method == "POST":
        validate_body(EmptySerializer, request)
        services.create_table_links(session=session, by=request.user)
    return build_table_links_response(session.evening)


@describe_operation("DELETE", "table_link_revoke", error_statuses=(401, 403, 404))
@endpoint("DELETE")
def delete_table_link(request: Request, slug: str, number: int, pk: int) -> Response:
    """Revoke the link of a table."""
    session = page_loaders.load_session(
        page_loaders.load_director_event(request, slug).with_session(number)
    )
    table_links = TableLink.objects.select_related("evening__session__event__club")
    table_link = get_object_or_404(table_links, pk=pk, evening=session.evening)
    services.revoke_table_link(link=table_link, by=request.user)
    return Response(status=204)
