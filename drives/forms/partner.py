"""Partner: pairs stay together, odd pairs move and even pairs stay.

Source: the pairs' evenings of klaverjas clubs.
"""

from django.utils.translation import gettext as _

from drives.draw.company import Company, check_rounds
from drives.draw.evening import Plan
from drives.draw.figures import figures
from drives.draw.fixed import partner_rounds
from drives.errors import UnplayableDrive
from drives.forms.form import Form, Known, together_call
from server.translation import gettext_noop


def _plan(company: Company, rounds: int, _secret: bytes) -> Plan:
    check_rounds(rounds)
    if company.seated or company.apart:
        raise UnplayableDrive(_("Pairs stay together: nobody stays seated or is kept apart."))
    if (len(company.players) + len(company.filling)) % 2:
        raise UnplayableDrive(
            _("Pairs need an even number of players: let a house player fill the last pair.")
        )
    drawn = partner_rounds(company, rounds)
    return Plan(rounds=tuple(drawn), figures=figures(drawn, company.players), tries=0)


FORM = Form(
    code="partner",
    known=Known.AHEAD,
    plans=_plan,
    calls=together_call,
    title=gettext_noop("Partner drive"),
    blurb=gettext_noop("Pairs stay together; odd pairs move one table up, even pairs stay."),
    price=gettext_noop("Odd pairs meet even pairs only, again once all tables are done."),
    terms={},
    roles=False,
    together=True,
)
