"""The settings with which the shared pages handle one kind of activity."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.utils.functional import Promise

from clubs.activities.activity_access import ActivityAccess
from clubs.activities.history import HistoryFormatter
from clubs.activities.models import EveningActivity
from clubs.audit import Actor
from clubs.undo import Inverse

ActivityT = TypeVar("ActivityT", bound=EveningActivity)


@dataclass(frozen=True, kw_only=True)
class ActivityKind(Generic[ActivityT]):
    """The settings of one kind of activity, such as drives, for the shared pages."""

    access_class: type[ActivityAccess[ActivityT]]
    """The class that loads an activity of this kind for a request."""
    url_prefix: str
    """The prefix of the kind's URL names: "drive" for `drive_desk` and `drive_history`."""
    template_folder: str
    """The folder with the kind's templates."""
    get_history_formatter: Callable[[ActivityT], HistoryFormatter]
    """The function that returns the formatter of an activity's history."""
    get_inverses: Callable[[], Mapping[str, Inverse]]
    """The function that returns the kind's undo functions, by their stored names."""
    list_table_numbers: Callable[[ActivityT, Collection[int]], Iterable[int]]
    """The function that returns the table numbers of an activity.

    Its second argument contains the numbers of the tables that have a link.
    """
    create_links: Callable[[ActivityT, Actor], object]
    """The function that creates a link for every table without one."""
    revoke_links: Callable[[ActivityT, Sequence[int], Actor], object]
    """The function that revokes the links with these primary keys, or all if none are given."""
    links_created_message: str | Promise
    """The message that is shown after links were created."""
    score_actions: Collection[str] = ()
    """The action codes of score entries.

    On the main page, users undo the scores that they entered without confirmation.
    """
