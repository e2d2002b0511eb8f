"""Take programs' tokens over as hashes, good for 30 days more, and forget them in the clear.

Lock: none beyond the rows; there is one token a login at most. Pages of the version before refuse
programs from then on until they are started anew.
"""

from datetime import timedelta
from hashlib import sha256

from django.db import migrations
from django.utils import timezone

OLD = "authtoken_token"
LEFT = timedelta(days=30)


def hash_tokens(apps, schema_editor):
    connection = schema_editor.connection
    if OLD not in connection.introspection.table_names():
        return  # a database that no version with such tokens has made
    kept = apps.get_model("server", "ApiToken")
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT key, user_id FROM {OLD}")
        rows = cursor.fetchall()
        for key, user in rows:
            kept.objects.using(connection.alias).get_or_create(
                hash=sha256(key.encode()).hexdigest(),
                defaults={
                    "user_id": user,
                    "name": "of version 1.1 or older",
                    "tail": key[-4:],
                    "scopes": "read score direct own",
                    "made_at": now,
                    "ends_at": now + LEFT,
                },
            )
        cursor.execute(f"DELETE FROM {OLD}")


class Migration(migrations.Migration):

    rewrites = {OLD, "server_apitoken"}

    dependencies = [
        ("server", "0005_logins"),
    ]

    operations = [
        migrations.RunPython(hash_tokens, migrations.RunPython.noop),
    ]
