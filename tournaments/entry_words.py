"""Texts for entries on pages: pairs, players or teams, depending on the contest."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Entry, Event

Contest = Event.Contest
NAMES_PER_ENTRY = {Contest.PAIRS: 2, Contest.MEMORY: 2, Contest.INDIVIDUAL: 1, Contest.TEAMS: 4}
"""The number of names in an entry."""
MIN_ENTRIES = {Contest.PAIRS: 4, Contest.MEMORY: 2, Contest.INDIVIDUAL: 4, Contest.TEAMS: 2}
"""The minimum number of entries for an event that can be played."""


@dataclass(frozen=True, slots=True)
class EntryTexts:
    """Texts of the pages that add and remove entries, for one kind of contest."""

    singular: str
    plural: str
    enter_title: str
    add_title: str
    add_button: str
    paste_title: str
    paste_help: str
    add_list_button: str
    import_button: str
    choose_help: str
    empty_list_text: str
    continue_button: str
    change_title: str
    save_button: str
    cancel_movement_button: str
    too_few_entries_text: str
    boards_label: str
    stationary_label: str
    stationary_help: str
    stationary_unchosen_text: str
    too_many_text: str
    started_text: str
    seated_text: str


def get_entry_texts(event: Event) -> EntryTexts:
    """Return the texts for the entries of an event: pairs, teams or players."""
    builders_by_contest = {
        Contest.INDIVIDUAL: _build_player_texts,
        Contest.TEAMS: _build_team_texts,
    }
    return builders_by_contest.get(Contest(event.contest), _build_pair_texts)()


def format_entry_count(event: Event, entry_count: int) -> str:
    """Format a number of entries, e.g. "14 pairs"."""
    texts_by_contest = {
        Contest.TEAMS: ngettext("%(count)s team", "%(count)s teams", entry_count),
        Contest.INDIVIDUAL: ngettext("%(count)s player", "%(count)s players", entry_count),
    }
    pairs_text = ngettext("%(count)s pair", "%(count)s pairs", entry_count)
    return texts_by_contest.get(Contest(event.contest), pairs_text) % {"count": entry_count}


def format_entered_count(event: Event, entry_count: int) -> str:
    """Format a number of entries as a sentence, e.g. "14 pairs entered."."""
    return ngettext("%(who)s entered.", "%(who)s entered.", entry_count) % {
        "who": format_entry_count(event, entry_count)
    }


def format_added_count(event: Event, entry_count: int) -> str:
    """Format the number of entries that a list added, e.g. "14 pairs added."."""
    return ngettext("%(who)s added.", "%(who)s added.", entry_count) % {
        "who": format_entry_count(event, entry_count)
    }


def format_team_pair(name: str, place_label: str, line_up: str = "") -> str:
    """Return the names of a team's pair at one of its two places, e.g. "Pole & Nowak".

    The first two players in the name sit North-South, the others East-West. If partners change,
    `line_up` contains the letters of the two players, A to D or W to Z. The name of a team with
    its own name, or with more than four players, is returned unchanged.
    """
    player_names = name.split(" & ")
    if len(player_names) != NAMES_PER_ENTRY[Contest.TEAMS]:
        return name
    if line_up:
        return " & ".join(
            player_names["ABCDWXYZ".index(player_letter) % 4] for player_letter in line_up
        )
    return " & ".join(player_names[2:] if place_label.endswith("EW") else player_names[:2])


def join_player_names(player_names: Sequence[str]) -> str:
    """Join the names of an entry's players, cut to the maximum length of an entry name."""
    max_length = Entry._meta.get_field("name").max_length or 0
    joined_name = " & ".join(player_names)
    return (
        joined_name if len(joined_name) <= max_length else f"{joined_name[: max_length - 1]}…"
    )


def _build_pair_texts() -> EntryTexts:
    return EntryTexts(
        singular=_("Pair"),
        plural=_("Pairs"),
        enter_title=_("Enter pairs"),
        add_title=_("Add a pair"),
        add_button=_("Add the pair"),
        paste_title=_("Paste list of pairs"),
        paste_help=_("One pair on each line, for example: Ada Pole, Jan Nowak"),
        add_list_button=_("Add these pairs"),
        import_button=_("Import pairs"),
        choose_help=_("Choose a pair to change its names."),
        empty_list_text=_("No pairs yet. Type two names above and press Enter."),
        continue_button=_("Continue to movement"),
        change_title=_("Change pair %(number)s"),
        save_button=_("Save the pair"),
        cancel_movement_button=_("Cancel movement"),
        too_few_entries_text=_(
            "Enter at least %(least)s pairs. The movements that fit will then be shown here."
        ),
        boards_label=_("Boards each pair may play"),
        stationary_label=_("Stationary pairs"),
        stationary_help=_("Choose which ones under Seats."),
        stationary_unchosen_text=_(
            "You asked for stationary pairs. Tick them below, save, then draw the seats."
        ),
        too_many_text=_("Too many pairs for this movement. Choose another movement."),
        started_text=_("The session has started. You can only correct names."),
        seated_text=_("Cancel the movement before you remove a pair."),
    )


def _build_player_texts() -> EntryTexts:
    return EntryTexts(
        singular=_("Player"),
        plural=_("Players"),
        enter_title=_("Enter players"),
        add_title=_("Add a player"),
        add_button=_("Add the player"),
        paste_title=_("Paste list of players"),
        paste_help=_("One player on each line, for example: Ada Pole"),
        add_list_button=_("Add these players"),
        import_button=_("Import players"),
        choose_help=_("Choose a player to change the name."),
        empty_list_text=_("No players yet. Type a name above and press Enter."),
        continue_button=_("Continue to movement"),
        change_title=_("Change player %(number)s"),
        save_button=_("Save the player"),
        cancel_movement_button=_("Cancel movement"),
        too_few_entries_text=_(
            "Enter at least %(least)s players. The movements that fit will then be shown here."
        ),
        boards_label=_("Boards each player may play"),
        stationary_label=_("Stationary players"),
        stationary_help=_("Choose which ones under Seats."),
        stationary_unchosen_text=_(
            "You asked for stationary players. Tick them below, save, then draw the seats."
        ),
        too_many_text=_("Too many players for this movement. Choose another movement."),
        started_text=_("The session has started. You can only correct names."),
        seated_text=_("Cancel the movement before you remove a player."),
    )


def _build_team_texts() -> EntryTexts:
    return EntryTexts(
        singular=_("Team"),
        plural=_("Teams"),
        enter_title=_("Enter teams"),
        add_title=_("Add a team"),
        add_button=_("Add the team"),
        paste_title=_("Paste list of teams"),
        paste_help=_(
            "One team on each line, for example: Ada Pole, Jan Nowak, "
            "Henry Jones, Kate Wood. The first two sit North-South, the "
            "others East-West. To name the team, start with “The Aces:”."
        ),
        add_list_button=_("Add these teams"),
        import_button=_("Import teams"),
        choose_help=_("Choose a team to change its players’ names."),
        empty_list_text=_("No teams yet. Type four names above and press Enter."),
        continue_button=_("Continue to movement"),
        change_title=_("Change team %(number)s"),
        save_button=_("Save the team"),
        cancel_movement_button=_("Cancel movement"),
        too_few_entries_text=_(
            "Enter at least %(least)s teams. The movements that fit will then be shown here."
        ),
        boards_label=_("Boards each team may play"),
        stationary_label=_("Stationary teams"),
        stationary_help=_("Choose which ones under Seats."),
        stationary_unchosen_text=_(
            "You asked for stationary teams. Tick them below, save, then draw the seats."
        ),
        too_many_text=_("Too many teams for this movement. Choose another movement."),
        started_text=_("The session has started. You can only correct names."),
        seated_text=_("Cancel the movement before you remove a team."),
    )
