"""What an act of the history is called, and what its values mean, in words of the table.

The history keeps codes, which stay when words change; here they become words.
"""

from collections.abc import Mapping

from django.db.models import Model, TextChoices
from django.utils.translation import gettext as _

from clubs.models import Act, Membership, Player
from scoring.methods import by_code
from scoring.models import Terms
from tournaments.entry_words import words_of
from tournaments.models import Event

_FIELDS: Mapping[str, type[TextChoices]] = {
    "standings_shown": Event.Shown,
    "paper_size": Event.PaperSize,
}
"""The fields of an event that keep a code; besides them its method does."""


def words_of_act(event: Event | None, act: Act) -> str:
    """What was done, and to what; without an event it was done to the club."""
    subject = _subject(act)
    words = words_of(event or Event())
    who = {"one": words.one, "many": words.many}
    known = {
        "club.created": _("Club made"),
        "member.added": _("Login added"),
        "member.changed": _("Role changed"),
        "member.removed": _("Login taken away"),
        "member.password": _("New password"),
        "player.added": _("Player added"),
        "player.removed": _("Player's name taken out"),
        "event.created": _("Event made"),
        "event.changed": _("Event changed"),
        "event.imported": _("Event read from a file"),
        "standings.shown": _("Players see the standings"),
        "entry.made": _("%(one)s entered") % who,
        "entry.renamed": _("%(one)s renamed") % who,
        "entry.removed": _("%(one)s taken out") % who,
        "entry.put_back": _("%(one)s put back") % who,
        "event.put_away": _("Event put away: no list shows it"),
        "event.brought_back": _("Event brought back into the lists"),
        "player.renamed": _("Player's name put right"),
        "player.shown": _("What everybody sees of a player"),
        "players.merged": _("Two names made one player"),
        "players.parted": _("One player made two again"),
        "section.seated": _("Movement chosen"),
        "section.unseated": _("Movement taken back"),
        "seats.drawn": _("Seats given"),
        "wish.changed": _("Who stays seated"),
        "seating.changed": _("The evening changed"),
        "seating.restored": _("A change taken back"),
        "movement.saved": _("Movement saved"),
        "movement.dropped": _("Movement no longer kept"),
        "boards.ordered": _("Boards to be dealt"),
        "boards.set_aside": _("Boards laid aside"),
        "play.recorded": _("Play written down"),
        "play.taken_back": _("Play taken back"),
        "boards.sealed": _("Cards hidden from the director too"),
        "tray.looked_at": _("Record of a tray looked at"),
        "hand_link.made": _("Address for typing the hands made"),
        "hand_link.revoked": _("Address for typing the hands taken back"),
        "boards.tables_ordered": _("Tables for bridge programs ordered"),
        "boards.filed": _("File for the dealing machine made"),
        "boards.dealt_anew": _("Boards dealt anew"),
        "boards.added": _("Boards added"),
        "boards.public_value": _("Public number named"),
        "deals.entered": _("Cards of boards entered"),
        "deals.taken_back": _("Cards of boards taken back"),
        "deals.left_out": _("Deals left to the tables"),
        "deals.undecided": _("Not decided who deals"),
        "deal.replaced": _("Deal replaced"),
        "result.kept": _("Queried result kept"),
        "result.queried": _("Result queried again"),
        "result.unagreed": _("Result no longer confirmed"),
        "club.correction_hours": _("Hours for corrections"),
        "rehearsal.made": _("Rehearsal made"),
        "rehearsal.speed": _("Speed of the rehearsal"),
        "rehearsal.finished": _("Rehearsal played on at once"),
        "rehearsal.thrown_away": _("Rehearsal thrown away"),
        "session.dated": _("Day of a session"),
        "session.added": _("Session added"),
        "session.removed": _("Session taken away"),
        "session.opened": _("Play opened"),
        "session.closed": _("Session closed"),
        "session.reopened": _("Session opened again"),
        "session.unopened": _("Opening taken back"),
        "result.agreed": _("Result confirmed by the other side"),
        "entry_links.made": _("Everybody's own address made"),
        "entry_link.revoked": _("%(one)s: address taken back") % who,
        "challenge.approved": _("Score put right as both sides agree"),
        "challenge.unanswered": _("Score put right; the other side did not answer"),
        "challenge.declined": _("Score stands"),
        "challenge.reopened": _("Question about a score open again"),
        "links.made": _("Links for the tables made"),
        "link.revoked": _("Link taken back"),
        "clock.changed": _("Clock"),
        "paper.ordered": _("Paper ordered"),
        "scoring.settled": _("Scoring settled"),
        "ruling.made": _("Ruling made"),
        "ruling.withdrawn": _("Ruling withdrawn"),
    }
    text = known.get(act.action, act.action)
    return f"{text}: {subject}" if subject else text


def way_of_act(act: Act) -> str:
    """By what way it was done."""
    known = {
        "api": _("API"),
        "pages": _("on the screen"),
        "phone": _("phone at the table"),
        "undo": _("undo"),
    }
    return known.get(act.via, act.via)


def value_of_act(act: Act, value: str) -> str:
    """What stood there before or stands there now."""
    if act.action == "standings.shown" and value in Event.Shown:
        return str(Event.Shown(value).label)
    if act.action == "player.shown" and value in Player.Shown:
        return str(Player.Shown(value).label)
    if act.action.startswith("member.") and value in Membership.Role:
        return str(Membership.Role(value).label)
    if act.action == "event.changed":
        return _values(act.subject.split(", "), value.split(", "), value)
    return value


def _title(field: str) -> str:
    """Name a field of an event, or of its terms."""
    row: type[Model] = Terms if field == "method" else Event
    return str(getattr(row._meta.get_field(field), "verbose_name", field))


def _values(fields: list[str], values: list[str], written: str) -> str:
    """Put the labels of codes in their places; a name with a comma leaves all as written."""
    if len(fields) != len(values):
        return written
    return ", ".join(_value(field, value) for field, value in zip(fields, values, strict=True))


def _value(field: str, value: str) -> str:
    """Say what a field's code means; what is no code stays as it is written."""
    if field == "method" and value in (known := by_code()):
        return known[value].label
    if field in _FIELDS and value in _FIELDS[field]:
        return str(_FIELDS[field](value).label)
    return value


def _subject(act: Act) -> str:
    if act.action == "event.changed":
        fields = [field for field in act.subject.split(", ") if field]
        return ", ".join(_title(field) for field in fields)
    if act.action == "paper.ordered":
        return act.subject.replace("_", " ")
    return act.subject
