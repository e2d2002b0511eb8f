"""Declares which JSON values of drives contain primary keys, for club archives.

Most JSON values identify players, rounds and tables by their numbers in the drive. Only the
keys listed here contain primary keys.
"""

from clubs.archives.spec import ArchiveSpec

SAVED_STATE_REFERENCES = {
    "players.*.pk": "drives.DrivePlayer",
    "players.*.player_id": "clubs.Player",
    "players.*.takes_over_id": "drives.DrivePlayer",
    "rounds.*.draw": "drives.Draw",
}
"""The primary keys inside a saved state of a drive (`drives.services.seat_changes`)."""

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={
        "drives.HouseTerms.presets": {},
        "drives.HouseTerms.terms": {},
        "drives.Drive.apart": {},
        "drives.Drive.score": {},
        "drives.Drive.terms": {},
        "drives.Drive.without": {},
        "drives.Draw.given": {},
        "drives.DriveChange.after": SAVED_STATE_REFERENCES,
        "drives.DriveChange.before": SAVED_STATE_REFERENCES,
        "drives.Prize.cut_by": {},
        "drives.Prize.places": {},
        "drives.Prize.then": {},
        "drives.Prize.won": {},
        "drives.CardTotal.rows": {},
        "drives.CardVersion.rows": {},
        "drives.Sheet.contract": {},
        "drives.Sheet.extras": {},
        "drives.Sheet.score": {},
        "drives.SheetVersion.contract": {},
        "drives.SheetVersion.extras": {},
        "drives.SheetVersion.score": {},
    },
    reference_paths_by_inverse_name={
        "drive.await_yes": {},
        "drive.bring_back": {},
        "drive.change": {},
        "drive.close": {},
        "drive.contract_words": {},
        "drive.cut": {},
        "drive.house_terms": {},
        "drive.points": {},
        "drive.prizes": {},
        "drive.put_away": {},
        "drive.put_back": {"change": "drives.DriveChange"},
        "drive.reopen": {},
        "drive.revoke_links": {"links.*": "drives.CardLink"},
        "drive.sheet": {},
        "drive.total": {},
    },
    model_labels_by_subject={"card link": "drives.CardLink"},
)
