"""Write every player's name in plain letters, by which lists sort and searches find.

Lock: ROW EXCLUSIVE on players, some at a time. Pages of the version before write none: whom
they add meanwhile is found once the row is written again.
"""

from typing import Any

from django.db import migrations

from clubs.letters import plain_letters

AT_ONCE = 2000


def write_plain_letters(apps: Any, schema_editor: Any) -> None:
    """Write every name in plain letters."""
    alias = schema_editor.connection.alias
    players = apps.get_model("clubs", "Player").objects.using(alias)
    last = 0
    while some := list(players.filter(pk__gt=last).order_by("pk").only("name")[:AT_ONCE]):
        for each in some:
            each.plain = plain_letters(each.name)[:160]
        players.bulk_update(some, ["plain"], batch_size=300)
        last = some[-1].pk


class Migration(migrations.Migration):
    dependencies = [("clubs", "0007_people_shown")]

    operations = [
        migrations.RunPython(write_plain_letters, migrations.RunPython.noop, elidable=True)
    ]
