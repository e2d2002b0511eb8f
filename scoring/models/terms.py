"""On what terms an event is scored."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.methods import by_code, methods_of
from tournaments.models import Event


class Terms(models.Model):
    """How an event is scored: every event has one such row, made with it."""

    class Revokes(models.TextChoices):
        """How Law X §4 is read where its items 2 and 3 meet."""

        KEPT = "keep_tricks_above_average", _("are kept even above the average")
        CAPPED = "never_above_average", _("are kept up to the average")

    event = models.OneToOneField(Event, models.CASCADE, related_name="terms")
    method = models.CharField(
        _("scoring"), max_length=20
    )  # the code of one of scoring.methods, which alone know what there is
    tie_breaks = models.JSONField(
        _("tie-breaks"), default=list, blank=True
    )  # their names, in the order in which they part entries that are level
    carry_over = models.CharField(
        _("carried over from earlier sessions"), max_length=20, default="1"
    )  # which part of them: an exact fraction as text
    revokes_read = models.CharField(
        _("tricks won before a revoke"), max_length=30, choices=Revokes, default=Revokes.KEPT
    )
    whole_averages = models.BooleanField(
        _("averages to the nearest whole trick"), default=False
    )  # the pair's result is its total less that, as the American Whist League did in 1894;
    # it waits while the event is scored by a method without averages

    class Meta:
        verbose_name_plural = "terms"
        constraints = [
            models.CheckConstraint(name="terms_name_a_method", condition=~Q(method="")),
            models.CheckConstraint(
                name="terms_say_what_is_carried", condition=~Q(carry_over="")
            ),
            models.CheckConstraint(
                name="terms_read_the_law_on_revokes_in_a_known_way",
                condition=Q(
                    revokes_read__in=["keep_tricks_above_average", "never_above_average"]
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.method}"

    def check_words(self) -> None:
        """Raise ValidationError for faulty words; the database itself holds it to the rest."""
        self.clean_fields(exclude=["event"])
        self.clean()

    def clean(self) -> None:
        """Refuse a method that the contest cannot be scored by, and name those that can."""
        known = by_code(methods_of(self.event.contest))
        if self.method not in known:
            words = gettext("This contest cannot be scored so. Choose one of these: %(names)s.")
            raise ValidationError({"method": words % {"names": ", ".join(known)}})
