"""The addresses of the hall: the tables' phones, the room, the clock, the big screen."""

from django.urls import URLPattern, path

from scoring.views import table

# /t/
table_urls: list[URLPattern] = [path("<str:token>/", table.table, name="table")]
