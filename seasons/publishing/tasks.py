"""Background tasks of publishing: zip exports, e-mails and uploads."""

from seasons.publishing.club_files import CLUB_FILE_JOB
from seasons.publishing.mailing import MAIL_JOB
from seasons.publishing.sending import UPLOAD_JOB

KINDS = (CLUB_FILE_JOB, MAIL_JOB, UPLOAD_JOB)
