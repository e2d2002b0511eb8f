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
class EntryWords:
    """Texts of the pages that add and remove entries, for one kind of contest."""

    one: str
    many: str
    enter: str
    add: str
    add_this: str
    paste: str
    paste_help: str
    add_these: str
    add_file: str
    choose: str
    nobody: str
    all_in: str
    change: str
    save: str
    take_back: str
    too_few: str
    plays: str
    stationary_label: str
    stationary_help: str
    stationary_unnamed: str
    grown: str
    stand: str
    seated: str


def entry_words_for(event: Event) -> EntryWords:
    """Return the texts for an event's entries."""
    makers = {Contest.INDIVIDUAL: _player_words, Contest.TEAMS: _team_words}
    return makers.get(Contest(event.contest), _pair_words)()


def format_entry_count(event: Event, count: int) -> str:
    """Format a number of entries, e.g. "14 pairs"."""
    texts = {
        Contest.TEAMS: ngettext("%(count)s team", "%(count)s teams", count),
        Contest.INDIVIDUAL: ngettext("%(count)s player", "%(count)s players", count),
    }
    pairs = ngettext("%(count)s pair", "%(count)s pairs", count)
    return texts.get(Contest(event.contest), pairs) % {"count": count}


def format_entered_count(event: Event, count: int) -> str:
    """Format a number of entries as a sentence, e.g. "14 pairs are entered."."""
    return ngettext("%(who)s entered.", "%(who)s entered.", count) % {
        "who": format_entry_count(event, count)
    }


def format_added_count(event: Event, count: int) -> str:
    """Format the number of entries that a list added, e.g. "14 pairs are added."."""
    return ngettext("%(who)s added.", "%(who)s added.", count) % {
        "who": format_entry_count(event, count)
    }


def format_team_pair(name: str, label: str, line_up: str = "") -> str:
    """Return the names of a team's pair at one of its two places, e.g. "Pole & Nowak".

    The first two named sit North-South, the others East-West. If partners change, `line_up`
    gives the pair as letters, A to D or W to Z. A team with its own name, or with more than
    four players, keeps its full name.
    """
    people = name.split(" & ")
    if len(people) != NAMES_PER_ENTRY[Contest.TEAMS]:
        return name
    if line_up:
        return " & ".join(people["ABCDWXYZ".index(letter) % 4] for letter in line_up)
    return " & ".join(people[2:] if label.endswith("EW") else people[:2])


def join_entry_name(names: Sequence[str]) -> str:
    """Join the names of an entry, cut to the maximum length of a name."""
    max_length = Entry._meta.get_field("name").max_length or 0
    joined_name = " & ".join(names)
    return (
        joined_name if len(joined_name) <= max_length else f"{joined_name[: max_length - 1]}…"
    )


def _pair_words() -> EntryWords:
    return EntryWords(
        one=_("Pair"),
        many=_("Pairs"),
        enter=_("Enter pairs"),
        add=_("Add a pair"),
        add_this=_("Add the pair"),
        paste=_("Paste many pairs"),
        paste_help=_("One pair on each line, for example: Ada Pole, Jan Nowak"),
        add_these=_("Add these pairs"),
        add_file=_("Import pairs"),
        choose=_("Choose a pair to change its names."),
        nobody=_("No pairs yet. Type two names above and press Enter."),
        all_in=_("Continue to movement"),
        change=_("Change pair %(number)s"),
        save=_("Save the pair"),
        take_back=_("Cancel movement"),
        too_few=_(
            "Enter at least %(least)s pairs. The movements that fit will then be shown here."
        ),
        plays=_("Boards each pair may play"),
        stationary_label=_("Stationary pairs"),
        stationary_help=_("Choose which ones under Seats."),
        stationary_unnamed=_(
            "You asked for stationary pairs. Tick them below, save, then draw the seats."
        ),
        grown=_("The movement is for fewer pairs. Choose it again."),
        stand=_("The session has started. You can only correct names."),
        seated=_("Cancel the movement before you remove a pair."),
    )


def _player_words() -> EntryWords:
    return EntryWords(
        one=_("Player"),
        many=_("Players"),
        enter=_("Enter players"),
        add=_("Add a player"),
        add_this=_("Add the player"),
        paste=_("Paste many players"),
        paste_help=_("One player on each line, for example: Ada Pole"),
        add_these=_("Add these players"),
        add_file=_("Import players"),
        choose=_("Choose a player to change the name."),
        nobody=_("No players yet. Type a name above and press Enter."),
        all_in=_("Continue to movement"),
        change=_("Change player %(number)s"),
        save=_("Save the player"),
        take_back=_("Cancel movement"),
        too_few=_(
            "Enter at least %(least)s players. The movements that fit will then be shown here."
        ),
        plays=_("Boards each player may play"),
        stationary_label=_("Stationary players"),
        stationary_help=_("Choose which ones under Seats."),
        stationary_unnamed=_(
            "You asked for stationary players. Tick them below, save, then draw the seats."
        ),
        grown=_("The movement is for fewer players. Choose it again."),
        stand=_("The session has started. You can only correct names."),
        seated=_("Cancel the movement before you remove a player."),
    )


def _team_words() -> EntryWords:
    return EntryWords(
        one=_("Team"),
        many=_("Teams"),
        enter=_("Enter teams"),
        add=_("Add a team"),
        add_this=_("Add the team"),
        paste=_("Paste many teams"),
        paste_help=_(
            "One team on each line, for example: Ada Pole, Jan Nowak, "
            "Henry Jones, Kate Wood. The first two sit North-South, the "
            "others East-West. To name the team, start with “The Aces:”."
        ),
        add_these=_("Add these teams"),
        add_file=_("Import teams"),
        choose=_("Choose a team to change its players’ names."),
        nobody=_("No teams yet. Type four names above and press Enter."),
        all_in=_("Continue to movement"),
        change=_("Change team %(number)s"),
        save=_("Save the team"),
        take_back=_("Cancel movement"),
        too_few=_(
            "Enter at least %(least)s teams. The movements that fit will then be shown here."
        ),
        plays=_("Boards each team may play"),
        stationary_label=_("Stationary teams"),
        stationary_help=_("Choose which ones under Seats."),
        stationary_unnamed=_(
            "You asked for stationary teams. Tick them below, save, then draw the seats."
        ),
        grown=_("The movement is for fewer teams. Choose it again."),
        stand=_("The session has started. You can only correct names."),
        seated=_("Cancel the movement before you remove a team."),
    )
