"""Models for logins, jobs, upgrades, versions of public pages, and small files."""

from server.models.blobs import Blob
from server.models.installation import Installed
from server.models.jobs import ClubDay, ClubWork, Job, Worker
from server.models.logins import ApiToken, LoginNote, SignIn, WrongTry
from server.models.public_versions import PublicVersion
from server.models.users import User
