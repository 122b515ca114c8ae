"""Making, listing and ending the tokens by which callers are known."""

from typing import Any

import grpc
import structlog
from google.protobuf.timestamp_pb2 import Timestamp

from fivehundred.daemon.attach_tokens import new_token, token_hash
from fivehundred.daemon.caller import caller
from fivehundred.daemon.paging import page_size
from fivehundred.daemon.resources import timestamp
from fivehundred.storage.access import AccessToken, AccessTokens, Role, now_us
from fivehundred.v1 import access_pb2, access_pb2_grpc
from fivehundred.wire.errors import FailedPrecondition, InvalidArgument, Violation
from fivehundred.wire.spec import is_name

# The methods' names are the contract's, as generated servicers want them.
# ruff: noqa: N802

MOST_BOTS = 100
LAST_SECOND = 253_402_300_799
"""The last second of the year 9999, as a `Timestamp` has it."""
NAME_RULE = 'write 1 to 63 of a-z, 0-9 and "-", starting with a letter'
log = structlog.get_logger()
Context = grpc.aio.ServicerContext[Any, Any]


class AccessServicer(access_pb2_grpc.AccessServiceServicer):
    """Keeps the tokens; there is always a valid one that may make others."""

    def __init__(self, tokens: AccessTokens) -> None:
        self._tokens = tokens

    async def CreateToken(
        self, request: access_pb2.CreateTokenRequest, context: Context
    ) -> access_pb2.CreateTokenResponse:
        """Make a token."""
        if int(request.role) != Role.ADMIN and not self._tokens.admins():
            raise FailedPrecondition(
                "make a token of the role ADMIN first: as soon as there is a token every caller "
                "needs one, and no other may make more"
            )
        response = create_token(self._tokens, request)
        role = Role(response.access_token.role).name
        log.info("token_created", token=request.name, role=role, caller=caller().name)
        return response

    async def ListTokens(
        self, request: access_pb2.ListTokensRequest, context: Context
    ) -> access_pb2.ListTokensResponse:
        """A page of tokens by name."""
        size = page_size(request.page_size, default=50, most=100)
        found = self._tokens.page(size + 1, request.page_token)
        return access_pb2.ListTokensResponse(
            access_tokens=map(token_message, found[:size]),
            next_page_token=found[size - 1].name if len(found) > size else "",
        )

    async def RevokeToken(
        self, request: access_pb2.RevokeTokenRequest, context: Context
    ) -> access_pb2.RevokeTokenResponse:
        """End a token."""
        if [request.name] in (self._tokens.admins(), self._tokens.lasting_admins()):
            raise FailedPrecondition(
                f"{request.name!r} is the last lasting token of the role ADMIN: make another "
                "first, or stop the daemon and revoke it with --database"
            )
        self._tokens.revoke(request.name)
        log.info("token_revoked", token=request.name, caller=caller().name)
        return access_pb2.RevokeTokenResponse()


def create_token(
    tokens: AccessTokens, request: access_pb2.CreateTokenRequest
) -> access_pb2.CreateTokenResponse:
    """Make a token; raises `InvalidArgument` with every field that is wrong."""
    if wrong := [*_violations(request)]:
        raise InvalidArgument(wrong)
    secret = new_token()
    token = AccessToken(
        name=request.name,
        role=Role(request.role),
        bots=tuple(request.bots),
        create_time_us=now_us(),
        expire_time_us=_expiry(request),
        token_hash=token_hash(secret),
    )
    tokens.create(token)
    return access_pb2.CreateTokenResponse(access_token=token_message(token), token=secret)


def token_message(token: AccessToken) -> access_pb2.AccessToken:
    """What is known of a token."""
    ends = token.expire_time_us
    return access_pb2.AccessToken(
        name=token.name,
        role=access_pb2.Role.ValueType(token.role),
        bots=token.bots,
        create_time=timestamp(token.create_time_us),
        expire_time=None if ends is None else timestamp(ends),
    )


def _violations(request: access_pb2.CreateTokenRequest) -> list[Violation]:
    """Everything that is wrong with a request."""
    wrong = [] if is_name(request.name) else [Violation("name", NAME_RULE)]
    if request.role not in [*Role]:
        wrong.append(Violation("role", "give one of READER, OWNER, ORGANISER, ADMIN"))
    ends = _expiry(request)
    if ends is not None and not now_us() < ends <= LAST_SECOND * 1_000_000:
        wrong.append(Violation("expire_time", "give one that is to come, or none"))
    return wrong + _wrong_bots(request)


def _wrong_bots(request: access_pb2.CreateTokenRequest) -> list[Violation]:
    if bool(request.bots) != (int(request.role) == Role.OWNER):
        return [Violation("bots", "name at least one for an OWNER, none for any other role")]
    if len(request.bots) > MOST_BOTS:
        return [Violation("bots", f"{len(request.bots)} bots: at most {MOST_BOTS}")]
    return [
        Violation(f"bots[{number}]", NAME_RULE)
        for number, name in enumerate(request.bots)
        if not is_name(name)
    ]


def _expiry(request: access_pb2.CreateTokenRequest) -> int | None:
    """When a token is to end, in microseconds; None where never."""
    if not request.HasField("expire_time"):
        return None
    ends: Timestamp = request.expire_time
    return ends.seconds * 1_000_000 + ends.nanos // 1000
