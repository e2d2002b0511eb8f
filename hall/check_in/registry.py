"""The kinds of evenings with check-in."""

from django.utils.translation import gettext as _

from clubs.models import Evening
from hall.check_in.drives import DRIVE_CHECK_IN
from hall.check_in.events import EVENT_CHECK_IN
from hall.check_in.kinds import CheckInKind
from hall.check_in.rubbers import RUBBER_CHECK_IN
from server.errors import PageNotFound

CHECK_IN_KINDS = (EVENT_CHECK_IN, DRIVE_CHECK_IN, RUBBER_CHECK_IN)
"""All kinds, in the order in which `find_check_in_kind` tries them.

The evening of a drive may also have a rubber night. Its check-in is that of the drive.
"""


def find_check_in_kind(evening: Evening) -> CheckInKind:
    """Return the kind of an evening's activity; raise PageNotFound if it has none."""
    for kind in CHECK_IN_KINDS:
        if hasattr(evening, kind.relation_name):
            return kind
    raise PageNotFound(_("Check-in not found."))
