"""The loader of an activity's pages, which checks the role of the login."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.functional import Promise

from clubs.access import DIRECTOR_ROLES, SCORER_ROLES, get_login
from clubs.activities.models import Activity
from clubs.models import Membership
from server.request_log import set_request_club

Kind = TypeVar("Kind", bound=Activity)


@dataclass(frozen=True)
class ActivityVisit(Generic[Kind]):
    """A request's visit to an activity, with the role of its login.

    A kind has a subclass with these class variables, and with a field of the kind's own name,
    by which its pages reach the activity: `drive: Drive = field(init=False)`.
    """

    rows: ClassVar[QuerySet[Any]]
    """All activities of the kind, with what its pages need of other tables."""
    refusal: ClassVar[str | Promise]
    """The message for a login without the role that a page needs."""

    activity: Kind
    role: Membership.Role | None = None  # in the activity's club; None on a public page

    def __post_init__(self) -> None:
        """Note the club for the request log, and set the field of the kind's own name."""
        object.__setattr__(self, self.activity.argument, self.activity)
        set_request_club(self.activity.club_id)

    @classmethod
    def public(cls, slug: str) -> Self:
        """Fetch an activity for anyone, and show times in its club's zone. Raises Http404."""
        visit = cls(get_object_or_404(cls.rows, slug=slug))
        timezone.activate(visit.activity.club.zone)
        return visit

    @classmethod
    def for_director(cls, request: HttpRequest, slug: str) -> Self:
        """Fetch an activity for a director of its club. Raises PermissionDenied for others."""
        return cls.public(slug).admit(request, DIRECTOR_ROLES)

    @classmethod
    def for_scorer(cls, request: HttpRequest, slug: str) -> Self:
        """Fetch an activity for a login that may enter its scores."""
        return cls.public(slug).admit(request, SCORER_ROLES)

    def admit(self, request: HttpRequest, roles: Sequence[Membership.Role]) -> Self:
        """Return the visit with the login's role; raise PermissionDenied for other roles."""
        user = get_login(request)
        here = Membership.objects.filter(club=self.activity.club_id, user=user)
        role = here.values_list("role", flat=True).first()
        if role is None or role not in roles or not user.can_reach(self.activity.club_id):
            raise PermissionDenied(str(self.refusal))
        return replace(self, role=Membership.Role(role))

    @property
    def address(self) -> str:
        """The part of its pages' URLs that identifies the activity."""
        return self.activity.slug

    @property
    def is_directed(self) -> bool:
        """Whether the login directs the activity."""
        return self.role in DIRECTOR_ROLES

    @property
    def context(self) -> dict[str, Any]:
        """The template variables that every page of an activity has."""
        return {
            "visit": self,
            self.activity.argument: self.activity,
            "club": self.activity.club,
        }
