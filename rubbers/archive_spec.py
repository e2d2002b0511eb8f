"""Declares which JSON values of rubber nights contain primary keys, for club archives.

They contain none.
"""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={
        "rubbers.HandVersion.told": {},
        "rubbers.RubberHand.told": {},
        "rubbers.RubberNight.terms": {},
        "rubbers.Spell.cuts": {},
        "rubbers.Spell.seats": {},
        "rubbers.Spell.substitutes": {},
    },
    reference_paths_by_inverse_name={
        "drive.drop_rubbers": {},
        "drive.rubbers": {},
        "rubbers.add_table": {},
        "rubbers.belong": {},
        "rubbers.bring_back": {},
        "rubbers.change": {},
        "rubbers.check_in": {},
        "rubbers.close": {},
        "rubbers.correct": {},
        "rubbers.drop_table": {},
        "rubbers.mark": {},
        "rubbers.put_away": {},
        "rubbers.rename": {},
        "rubbers.reopen": {},
        "rubbers.seat": {},
        "rubbers.settle": {},
        "rubbers.substitute": {},
        "rubbers.unmark": {},
        "rubbers.unseat": {},
    },
)
