"""Where the daemon listens, and how: in plain text or by TLS, to whom."""

import ipaddress
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc
import structlog

from fivehundred.daemon.errors import StartError
from fivehundred.wire.spec import is_address

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Security:
    """Who is let in, and how what is said is kept from others."""

    tokens: bool | None = None
    """Whether callers need a token; None: they do where the address is not local, or where the
    database has any token."""
    certificate: Path | None = None
    """The daemon's certificate, with those between it and its authority; None for plain text."""
    key: Path | None = None
    """The certificate's private key."""
    client_ca: Path | None = None
    """The authority of clients' certificates; None where none is wanted of them."""
    plaintext: bool = False
    """Whether plain text may leave the machine."""


def bind(server: grpc.aio.Server, listen: str, security: Security) -> str:
    """Let a server listen; gives the address with its true port. Raises `StartError`."""
    if not is_address(listen, least_port=0):
        raise StartError(
            f"cannot listen at {listen}: write host:port with a port up to 65535 (0 for any that "
            "is free), or unix:/path"
        )
    credentials = _credentials(security)
    _check_plaintext(listen, security)
    if listen.startswith("unix:") and _answers(listen.removeprefix("unix:")):
        raise StartError(f"cannot listen at {listen}: another process listens there")
    try:
        if credentials is None:
            port = server.add_insecure_port(listen)
        else:
            port = server.add_secure_port(listen, credentials)
    except RuntimeError:
        raise StartError(
            f"cannot listen at {listen}: the address is taken or not of this machine"
        ) from None
    return listen if listen.startswith("unix:") else f"{listen.rpartition(':')[0]}:{port}"


def is_local(listen: str) -> bool:
    """Whether only this machine reaches an address: a unix socket's or a loopback one."""
    host = listen.rpartition(":")[0]
    if listen.startswith("unix:") or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _check_plaintext(listen: str, security: Security) -> None:
    """Refuse plain text on an address of a network, unless it is asked for."""
    if security.certificate is not None:
        if security.plaintext:
            raise StartError("--plaintext and --tls-cert: give one of them")
        return
    if is_local(listen):
        return
    if not security.plaintext:
        raise StartError(
            f"{listen} is reached from other machines, which would read every token and card: "
            "give --tls-cert FILE and --tls-key FILE, or --plaintext where the network is safe"
        )
    log.warning(
        "plaintext_beyond_this_machine",
        listen=listen,
        risk="whoever reads the network reads every token and card",
        remedy="--tls-cert FILE --tls-key FILE",
    )


def _credentials(security: Security) -> grpc.ServerCredentials | None:
    """What TLS needs; None for plain text."""
    certificate, key, client_ca = security.certificate, security.key, security.client_ca
    if certificate is None or key is None:
        if certificate is not None or key is not None:
            raise StartError("--tls-cert and --tls-key belong together: give both")
        if client_ca is not None:
            raise StartError("--client-ca is for TLS: give --tls-cert and --tls-key as well")
        return None
    pair = (_text(key, "--tls-key"), _text(certificate, "--tls-cert"))
    authority = None if client_ca is None else _text(client_ca, "--client-ca")
    _check_certificates(certificate, "--tls-cert")
    _check_pair(certificate, key)
    if client_ca is not None:
        _check_certificates(client_ca, "--client-ca")
    return grpc.ssl_server_credentials(
        [pair], root_certificates=authority, require_client_auth=client_ca is not None
    )


def _text(path: Path, option: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartError(
            f"{option} {path} cannot be read ({error.strerror}): name a PEM file"
        ) from None


def _check_certificates(path: Path, option: str) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(path)
    except ssl.SSLError:
        raise StartError(
            f"{option} {path} holds no certificate: name a PEM file with BEGIN CERTIFICATE"
        ) from None


def _check_pair(certificate: Path, key: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise StartError(
                f"--tls-key {key} is not the key of --tls-cert {certificate}: name the one that "
                "the certificate was made with"
            ) from None
        raise StartError(
            f"--tls-key {key} holds no private key that can be used: name a PEM file with BEGIN "
            "PRIVATE KEY, without a passphrase"
        ) from None


def _answers(path: str) -> bool:
    """Whether somebody listens at a socket's path; gRPC replaces a file that nobody answers at."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(path.removeprefix("//"))
        except (BlockingIOError, TimeoutError):
            return True
        except OSError:
            return False
    return True
