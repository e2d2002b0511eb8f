"""API views of the links of a rubber night's tables."""

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.serializers import TableLinkSerializer, build_table_links_response
from clubs.models import TableLink
from rubbers import rubber_access, services
from server.api.endpoints import EmptySerializer, describe_operation, endpoint, validate_body


@describe_operation(
    "GET", "rubber_links", TableLinkSerializer(many=True), error_statuses=(401, 403, 404)
)
@describe_operation("POST", "rubber_links_make", TableLinkSerializer(many=True), request=None)
@endpoint("GET", "POST", is_public=False)
def list_or_create_links(request: Request, slug: str) -> Response:
    """List the links of a night's tables, or create a link for every table that has none."""
    night = rubber_access.load_director_night_access(request, slug).night
    if request.method == "POST":
        validate_body(EmptySerializer, request)
        services.create_marker_links(night=night, by=request.user)
    return build_table_links_response(night.evening)


@describe_operation("DELETE", "rubber_link_revoke", error_statuses=(401, 403, 404))
@endpoint("DELETE")
def revoke_link(request: Request, slug: str, pk: int) -> Response:
    """Revoke the link of a night's table."""
    night = rubber_access.load_director_night_access(request, slug).night
    link = get_object_or_404(TableLink, pk=pk, evening__rubber_night=night)
    services.revoke_marker_links(night=night, links=[link.pk], by=request.user)
    return Response(status=204)
