"""Tokens with which bots prove who they are: told once, kept as a hash."""

import hashlib
import hmac
import secrets

TOKEN_BYTES = 32
NO_HASH = bytes(hashlib.sha256().digest_size)
"""What no token hashes to; compared with where there is none, so that it takes as long."""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """What is kept of a token: as it is random and long, one plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


def is_token_of(token: str, kept: bytes | None) -> bool:
    """Whether a token is the one whose hash is kept; takes the same time either way."""
    return hmac.compare_digest(token_hash(token), kept or NO_HASH)
