"""A daemon that runs tournaments of the card game 500 between bots, over gRPC."""

__version__ = "0.1.0"
