"""TLS towards a daemon: whose certificates are trusted, and which is one's own."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc

CA_VARIABLE = "FIVEHUNDRED_TLS_CA"
CERTIFICATE_VARIABLE = "FIVEHUNDRED_TLS_CERT"
KEY_VARIABLE = "FIVEHUNDRED_TLS_KEY"


class TlsError(OSError):
    """Files are not what TLS needs; says which, and what would be right."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of TLS towards a daemon, as PEM."""

    ca: Path
    """The certificate of the authority that the daemon's is signed by, or the daemon's own."""
    certificate: Path | None = None
    """One's own certificate, where the daemon wants one; None for none."""
    key: Path | None = None
    """The private key of one's own certificate."""

    def credentials(self) -> grpc.ChannelCredentials:
        """What a channel needs; raises `TlsError`."""
        if (self.certificate is None) != (self.key is None):
            raise TlsError(f"{CERTIFICATE_VARIABLE} and {KEY_VARIABLE} belong together: set both")
        _check_authority(self.ca)
        ca = self.ca.read_bytes()
        if self.certificate is None or self.key is None:
            return grpc.ssl_channel_credentials(ca)
        _check_pair(self.certificate, self.key)
        return grpc.ssl_channel_credentials(
            ca, self.key.read_bytes(), self.certificate.read_bytes()
        )


def tls_of(environment: Mapping[str, str]) -> Tls | None:
    """What the environment says; None for plain text. Raises `TlsError`."""
    ca, certificate, key = (
        Path(environment[name]) if environment.get(name) else None
        for name in (CA_VARIABLE, CERTIFICATE_VARIABLE, KEY_VARIABLE)
    )
    if ca is not None:
        return Tls(ca, certificate, key)
    if certificate is not None or key is not None:
        raise TlsError(f"{CERTIFICATE_VARIABLE} is for TLS: set {CA_VARIABLE} as well")
    return None


def _check_authority(path: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except OSError as error:
        raise TlsError(
            f"{path} ({CA_VARIABLE}) holds no certificate: {error.strerror or 'not a PEM file'}"
        ) from None


def _check_pair(certificate: Path, key: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_cert_chain(certificate, key, password="")
    except OSError:
        raise TlsError(
            f"{certificate} ({CERTIFICATE_VARIABLE}) and {key} ({KEY_VARIABLE}) are no certificate "
            "and its key without a passphrase: name PEM files that were made together"
        ) from None
