"""Keep how much of its day's quotas a club has had, and until when its jobs rest for that.

Lock: ACCESS EXCLUSIVE on the jobs for a moment (a nullable column); a new table, which nothing
else refers to. Old workers neither count nor rest: until the last has gone a club may have more.
"""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('server', '0008_small_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='rests_until',
            field=models.DateTimeField(blank=True, help_text="until then its club has had all of its day's", null=True),
        ),
        migrations.CreateModel(
            name='ClubDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('club', models.BigIntegerField()),
                ('day', models.DateField()),
                ('quota', models.CharField(max_length=10)),
                ('amount', models.FloatField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'day', 'quota'), name='one_sum_a_club_day_and_quota')],
            },
        ),
    ]
