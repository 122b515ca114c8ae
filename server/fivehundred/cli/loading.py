"""Finding a bot's class by name."""

from importlib import import_module

from fivehundred.cli.failures import ConfigError
from fivehundred_client import Bot, RawBot


def load_bot(where: str) -> Bot | RawBot:
    """The bot of ``module:Class``; raises `ConfigError` where there is none."""
    module_name, _, class_name = where.partition(":")
    if not module_name or not class_name:
        raise ConfigError(f"{where!r} names no class: write MODULE:CLASS, as in my_bots:Careful")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"{where}: {error}; is it in this directory or installed?") from None
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        raise ConfigError(f"{where}: {module_name} has no class {class_name!r}")
    bot = found()
    if not isinstance(bot, Bot | RawBot):
        raise ConfigError(f"{where} is no bot: subclass fivehundred_client.Bot")
    return bot
