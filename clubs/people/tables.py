"""The reading of member lists from CSV, XLSX or pasted text into rows of text."""

from django.utils.translation import gettext as _

from clubs.people.limits import MAX_BYTES, ListRow, UnreadableList
from clubs.people.texts import decode_text, split_rows
from clubs.people.workbooks import read_workbook_rows

OLD_WORKBOOK_SIGNATURE = b"\xd0\xcf\x11\xe0"


def parse_list_file(content: bytes) -> list[ListRow]:
    """Return the non-empty rows of a list, numbered as in the file.

    Raises UnreadableList for a file that is too large, damaged, or not a list. The limits in
    `clubs.people.limits` also restrict memory and time.
    """
    if len(content) > MAX_BYTES:
        raise UnreadableList(_("The file is larger than 1.5 MB. Save only the list."))
    if content.startswith(OLD_WORKBOOK_SIGNATURE):
        raise UnreadableList(
            _("This workbook is locked or in an old format. Save it as XLSX or CSV.")
        )
    if content.startswith(b"PK"):
        rows = read_workbook_rows(content)
    else:
        rows = split_rows(decode_text(content))
    if not rows:
        raise UnreadableList(_("The list is empty. Add at least one name."))
    return rows
