"""Small files of each kind that a form accepts, damaged at random."""

import io
import json
import random
import zipfile

COMPRESSIONS = (
    zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA
)  # fmt: skip
HUGE_PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0N \0\0N \x08\x02\0\0\0l\x12\xd1n"
    b"\0\0\0\x08IDATx\x9c\x03\0\0\0\0\x01H\x06\x89\xd2\0\0\0\0IEND\xaeB`\x82"
)
"""A picture of 65 bytes that claims to have 20,000 × 20,000 pixels."""
SHEET_ROWS = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>',
    '<row r="0"><c r="ZZZ1"><v>1e999</v></c></row>',
    '<row r="-1"><c t="s"><v>-1</v></c></row>',
    '<row><c s="9"><v>45361</v></c><c><f>A1</f></c></row>' * 50,
)
SAMPLE_TEXTS = (
    'Name,Joined\nAnn Alder,2001\n"Birch, Bo",3/4/2020\n',
    "1 Ann Alder & Bo Birch\nSMITH, John & Mary\n?\n",
    'sep=;\n"open',
    '[Board "1"]\n[Dealer "N"]\n[Deal "N:AKQ... .AKQ.. ..AKQ. ...AKQ"]\n',
    "qx|o1|md|1SAKQ,HAKQ,DAKQ,|" * 20,
    '<?xml version="1.0"?><USEBIO><HANDSET><BOARD>',
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><USEBIO>&a;</USEBIO>',
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260310\nRRULE:FREQ=ZZ\nEND:VEVENT\n",
    *(
        json.dumps({"format": kind, "players": [{}], "sessions": [{}], "evenings": [1]})
        for kind in ("whist-event/1", "whist-season/1", "whist-bookings/1", "whist-drive/1")
    ),
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")


def build_damaged_file(rng: random.Random) -> bytes:
    """Return a file and, in three of four cases, change, cut or repeat some of its bytes."""
    encoded_text = rng.choice(SAMPLE_TEXTS).encode(rng.choice(ENCODINGS))
    content = bytearray(rng.choice((HUGE_PNG, build_workbook(rng), encoded_text, encoded_text)))
    for _damage in range(rng.choice((0, 1, 4, 30))):
        place = rng.randrange(len(content) + 1)
        format_name = rng.randrange(3)
        if format_name == 0:
            content[place : place + 1] = bytes([rng.randrange(256)])
        elif format_name == 1:
            del content[place : place + rng.randrange(20)]
        else:
            content[place:place] = content[place : place + 20] * 2
    return bytes(content)


def build_workbook(rng: random.Random) -> bytes:
    """Return a small XLSX file, in which a part may be missing."""
    texts_by_part = {
        "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet r:id="a"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="a" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/styles.xml": "<styleSheet><cellXfs><xf numFmtId='14'/></cellXfs></styleSheet>",
        "xl/worksheets/sheet1.xml": f"<worksheet>{rng.choice(SHEET_ROWS)}</worksheet>",
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", rng.choice(COMPRESSIONS)) as archive:
        for part_name, text in texts_by_part.items():
            if rng.random() < 0.95:
                archive.writestr(part_name, text)
    return content.getvalue()
