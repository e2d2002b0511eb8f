"""The forms in which partners stay together all evening: partner drive and military whist."""

from django.utils.translation import gettext as _

from drives.draw.company import Company, check_rounds
from drives.draw.evening import Plan
from drives.draw.figures import figures
from drives.draw.fixed import fort_rounds, partner_rounds
from drives.errors import UnplayableDrive
from drives.forms.form import Form, Known, together_call
from server.translation import gettext_noop


def _plan_pairs(company: Company, rounds: int, _secret: bytes) -> Plan:
    check_rounds(rounds)
    if company.seated or company.apart:
        raise UnplayableDrive(_("Pairs stay together: nobody stays seated or is kept apart."))
    if (len(company.players) + len(company.filling)) % 2:
        raise UnplayableDrive(
            _("Pairs need an even number of players: let a house player fill the last pair.")
        )
    drawn = partner_rounds(company, rounds)
    return Plan(rounds=tuple(drawn), figures=figures(drawn, company.players), tries=0)


def _plan_forts(company: Company, rounds: int, _secret: bytes) -> Plan:
    check_rounds(rounds)
    if company.seated or company.apart:
        raise UnplayableDrive(_("Forts move together: nobody stays seated or is kept apart."))
    forts, over = divmod(len(company.players) + len(company.filling), 4)
    if over:
        words = _("Forts have four players: %(forts)s forts leave %(over)s over; add %(more)s.")
        raise UnplayableDrive(words % {"forts": forts, "over": over, "more": 4 - over})
    drawn = fort_rounds(company, rounds)
    return Plan(rounds=tuple(drawn), figures=figures(drawn, company.players), tries=0)


PARTNER = Form(
    code="partner",
    known=Known.AHEAD,
    plans=_plan_pairs,
    calls=together_call,
    title=gettext_noop("Partner drive"),
    blurb=gettext_noop("Pairs stay together; odd pairs move one table up, even pairs stay."),
    price=gettext_noop("Odd pairs meet even pairs only, again once all tables are done."),
    terms={},
    roles=False,
    together=True,
)
"""A schedule in which odd pairs move and even pairs stay.

Source: the pairs' evenings of klaverjas clubs.
"""
MILITARY = Form(
    code="military",
    known=Known.AHEAD,
    plans=_plan_forts,
    calls=together_call,
    title=gettext_noop("Military whist"),
    blurb=gettext_noop("Teams of four hold a fort each; one pair stays, one visits for flags."),
    price=gettext_noop("Teams of four exactly; one partner for the whole evening."),
    terms={},
    roles=False,
    together=True,
)
"""A schedule of forts of two pairs, whose away pairs visit another fort each round."""
