"""Background tasks for published results: zip exports, e-mails, uploads."""

from seasons.publishing.club_files import FILE
from seasons.publishing.mailing import LETTERS
from seasons.publishing.sending import SEND

KINDS = (FILE, LETTERS, SEND)
