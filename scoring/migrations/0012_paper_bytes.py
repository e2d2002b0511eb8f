"""Keep how large each paper is, so that what a club keeps can be added up in one question.

Lock: ACCESS EXCLUSIVE on the papers for a moment (a constant default that the database knows).
Papers that were made before count as nothing; they go within thirty days.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0011_numbers_stand'),
    ]

    operations = [
        migrations.AddField(
            model_name='paper',
            name='bytes',
            field=models.BigIntegerField(db_default=0, default=0, help_text='of its file; 0 of one made before these were kept'),
        ),
    ]
