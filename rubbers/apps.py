from django.apps import AppConfig


class RubbersConfig(AppConfig):
    name = "rubbers"
