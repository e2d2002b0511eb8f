"""The specification of how club archives include seasons, ladders and trophies."""

from clubs.archives.spec import ArchiveSpec

ARCHIVE_SPEC = ArchiveSpec(
    reference_paths_by_field={
        "seasons.Ladder.rule": {},
        "seasons.SeasonHandicap.terms": {},
        "seasons.SeasonVersion.rows": {"*.*.who.*": "clubs.Player"},
    },
    model_labels_by_subject={"season": "", "trophy": ""},
    reference_paths_by_inverse_name={
        "handicap.give": {"player": "clubs.Player"},
        "handicap.put_back": {"rows.*.0": "tournaments.Entry"},
        "handicap.settle": {"kept.*.0": "tournaments.Entry"},
        "ladder.put_back": {"handicaps.*.0": "clubs.Player"},
        "ladder.remove": {},
        "season.change": {},
        "season.close": {},
        "season.remove": {"new.*": "clubs.Player"},
        "season.unclose": {},
        "trophy.engrave": {"names.*.0": "clubs.Player", "season": "seasons.Season"},
        "trophy.remove": {},
        "trophy.unengrave": {},
    },
)
