"""Background work for results that leave: zip files, letters, sending."""

from seasons.publishing.club_files import FILE
from seasons.publishing.mailing.ordering import LETTERS
from seasons.publishing.sending.ordering import SEND

KINDS = (FILE, LETTERS, SEND)
