"""The tokens by which callers are known: kept as hashes, and looked up without the database."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from fivehundred.storage.database import reading, writing
from fivehundred.storage.schema import access_tokens
from fivehundred.wire.errors import AlreadyExists, NotFound


class Role(IntEnum):
    """What a caller may do; the numbers are the contract's, and each may do what lesser ones do."""

    READER = 1
    OWNER = 2
    ORGANISER = 3
    ADMIN = 4


@dataclass(frozen=True, slots=True)
class AccessToken:
    """What is known of a token."""

    name: str
    role: Role
    bots: tuple[str, ...]
    """The registered bots that an owner answers for."""
    create_time_us: int
    expire_time_us: int | None
    """None where it never ends."""
    token_hash: bytes = field(repr=False)
    """The SHA-256 of the token."""

    def is_valid(self, now_us: int) -> bool:
        """Whether it has not ended."""
        return self.expire_time_us is None or now_us < self.expire_time_us


class AccessTokens:
    """The tokens of a database. Changes are made by the database's one writer, through this."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        with reading(engine) as connection:
            rows = connection.execute(select(access_tokens)).mappings().all()
        found = [
            AccessToken(**{**row, "role": Role(row["role"]), "bots": tuple(row["bots"])})
            for row in rows
        ]
        self._by_name = {token.name: token for token in found}
        self._by_hash = {token.token_hash: token for token in found}

    def valid(self, token_hash: bytes) -> AccessToken | None:
        """The token of a hash; None where there is none or it has ended."""
        token = self._by_hash.get(token_hash)
        return token if token is not None and token.is_valid(now_us()) else None

    def exist(self) -> bool:
        """Whether there is any, valid or not."""
        return bool(self._by_name)

    def admins(self) -> list[str]:
        """The names of the valid tokens that may make others."""
        now = now_us()
        return [
            token.name
            for token in self._by_name.values()
            if token.role is Role.ADMIN and token.is_valid(now)
        ]

    def lasting_admins(self) -> list[str]:
        """The names of those among them that never expire."""
        return [name for name in self.admins() if self._by_name[name].expire_time_us is None]

    def all(self) -> Sequence[AccessToken]:
        """All tokens by name."""
        return [self._by_name[name] for name in sorted(self._by_name)]

    def page(self, limit: int, after: str = "") -> Sequence[AccessToken]:
        """A page of tokens by name, after a name or from the start."""
        names = sorted(name for name in self._by_name if name > after)
        return [self._by_name[name] for name in names[:limit]]

    def create(self, token: AccessToken) -> None:
        """Keeps a token; raises `AlreadyExists` where its name is in use."""
        row = {
            "name": token.name,
            "role": token.role,
            "bots": list(token.bots),
            "create_time_us": token.create_time_us,
            "expire_time_us": token.expire_time_us,
            "token_hash": token.token_hash,
        }
        with writing(self._engine) as connection:
            try:
                connection.execute(insert(access_tokens), row)
            except IntegrityError:
                raise AlreadyExists(
                    f"there is a token {token.name!r}: take another name, or revoke it first"
                ) from None
        self._by_name[token.name] = self._by_hash[token.token_hash] = token

    def revoke(self, name: str) -> None:
        """Forgets a token; raises `NotFound`."""
        with writing(self._engine) as connection:
            change = delete(access_tokens).where(access_tokens.c.name == name)
            if not connection.execute(change).rowcount:
                raise NotFound(f"there is no token {name!r}")
        token = self._by_name.pop(name)
        del self._by_hash[token.token_hash]


def now_us() -> int:
    """The time, in microseconds since 1970."""
    return time.time_ns() // 1000
