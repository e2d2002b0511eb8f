"""The headings of contracts on phones, which several games share."""

from server.translation import gettext_noop as _

TOGETHER = _("Together")
ALONE = _("Alone")
MISERE = _("Misère")
ABONDANCE = _("Abondance")
TROEL = _("Troel")
SLAM = _("Slam")
