"""A list of people as rows of text: from CSV, from a workbook (XLSX), or pasted."""

from django.utils.translation import gettext as _

from clubs.people.limits import MAX_BYTES, ListRow, UnreadableList
from clubs.people.texts import decode_text, split_rows
from clubs.people.workbooks import read_workbook_rows

OLD_WORKBOOK_SIGNATURE = b"\xd0\xcf\x11\xe0"


def read_list(content: bytes) -> list[ListRow]:
    """Read a list; empty rows are left out, the others keep their numbers.

    Raises UnreadableList for a file that is too large, damaged or no list. Memory and time are
    bounded by `clubs.people.limits`.
    """
    if len(content) > MAX_BYTES:
        raise UnreadableList(_("The file is larger than 1.5 MB. Save only the list."))
    if content.startswith(OLD_WORKBOOK_SIGNATURE):
        raise UnreadableList(_("This workbook is old or locked. Save it as XLSX or CSV."))
    if content.startswith(b"PK"):
        found = read_workbook_rows(content)
    else:
        found = split_rows(decode_text(content))
    if not found:
        raise UnreadableList(_("The list is empty. Add at least one name."))
    return found
