"""The rows of the machine room: who signs in, the work that is wanted, what was installed,
the numbers of what public pages show."""

from server.models.installed import Installed
from server.models.jobs import Job, Worker
from server.models.shown import Shown
from server.models.users import User

__all__ = ["Installed", "Job", "Shown", "User", "Worker"]
