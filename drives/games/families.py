"""The headings of contracts on phones, which several games share."""

from server.translation import gettext_noop as _

TOGETHER_FAMILY = _("Together")
ALONE_FAMILY = _("Alone")
MISERE_FAMILY = _("Misère")
ABONDANCE_FAMILY = _("Abondance")
TROEL_FAMILY = _("Troel")
SLAM_FAMILY = _("Slam")
