"""The loader of an activity for a request, which also checks the user's role."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.functional import Promise

from clubs.activities.models import Activity
from clubs.languages import activate_language, is_director_page
from clubs.models import Membership
from clubs.permissions import DIRECTOR_ROLES, SCORER_ROLES, find_role
from server.request_log import set_request_club

ActivityT = TypeVar("ActivityT", bound=Activity)


@dataclass(frozen=True)
class ActivityAccess(Generic[ActivityT]):
    """An activity loaded for one request, and the user's role in its club.

    A subclass sets the class variables below. It also has a field for the activity, named after
    the kind: `drive: Drive = field(init=False)`.
    """

    queryset: ClassVar[QuerySet[Any]]
    """The queryset of the kind's activities, with the related rows that the pages need."""
    refusal: ClassVar[str | Promise]
    """The error message for a user without the required role."""

    activity: ActivityT
    role: Membership.Role | None = None  # the user's role in the club; None on a public page

    def __post_init__(self) -> None:
        """Set the field named after the kind, and record the club for the request log."""
        object.__setattr__(self, self.activity.argument_name, self.activity)
        set_request_club(self.activity.club_id)

    @classmethod
    def load_for_public(cls, slug: str) -> Self:
        """Load an activity for a public page, and activate the time zone of its club.

        Raises Http404 if no activity has this slug.
        """
        access = cls(get_object_or_404(cls.queryset, slug=slug))
        timezone.activate(access.activity.club.zone)
        return access

    @classmethod
    def load_for_director(cls, request: HttpRequest, slug: str) -> Self:
        """Load an activity for a director of its club.

        Raises PermissionDenied for other users.
        """
        return cls.load_for_public(slug).require_role(request, DIRECTOR_ROLES)

    @classmethod
    def load_for_scorer(cls, request: HttpRequest, slug: str) -> Self:
        """Load an activity for a user who may enter its scores.

        Raises PermissionDenied for others.
        """
        return cls.load_for_public(slug).require_role(request, SCORER_ROLES)

    def require_role(self, request: HttpRequest, roles: Sequence[Membership.Role]) -> Self:
        """Return a copy with the user's role, and activate the club's language.

        Raises PermissionDenied for other roles.
        """
        role = find_role(request, self.activity.club_id)
        if role is None or role not in roles:
            raise PermissionDenied(str(self.refusal))
        if is_director_page(request):
            activate_language(self.activity.club.language)
        return replace(self, role=role)

    @property
    def address(self) -> str:
        """The URL argument that identifies the activity: its slug."""
        return self.activity.slug

    @property
    def can_direct(self) -> bool:
        """Whether the user directs the activity's club."""
        return self.role in DIRECTOR_ROLES

    @property
    def context(self) -> dict[str, Any]:
        """The template variables that all pages of an activity share."""
        return {
            "access": self,
            self.activity.argument_name: self.activity,
            "club": self.activity.club,
        }
