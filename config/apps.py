from django.apps import AppConfig


class PlumbingConfig(AppConfig):
    name = "config"
    verbose_name = "Overplay"
