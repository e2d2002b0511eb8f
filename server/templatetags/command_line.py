"""Template tag for a command of the program."""

from django import template

from server import command_line

register = template.Library()


@register.simple_tag(name="command")
def format_command(arguments: str) -> str:
    """Return a command as the user types it, e.g. "python manage.py backup"."""
    return command_line.format_command(arguments)
