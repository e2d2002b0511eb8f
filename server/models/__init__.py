"""The rows of the machine room: who signs in, and the work that is wanted."""

from server.models.jobs import Job, Worker
from server.models.users import User

__all__ = ["Job", "User", "Worker"]
