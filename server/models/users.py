"""Who signs in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A login; what it may do is said by the rooms above."""
