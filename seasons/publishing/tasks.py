"""Background work for results that leave: zip files, letters, sending."""

from seasons.publishing.club_files import FILE
from seasons.publishing.mailing import LETTERS
from seasons.publishing.sending import SEND

KINDS = (FILE, LETTERS, SEND)
