"""The rows of the machine room: who signs in, the work that is wanted, what was installed,
the versions of what public pages show, small files."""

from server.models.blobs import Blob
from server.models.installed import Installed
from server.models.jobs import ClubDay, ClubWork, Job, Worker
from server.models.logins import ApiToken, LoginNote, SignIn, WrongTry
from server.models.public_versions import PublicVersion
from server.models.users import User
