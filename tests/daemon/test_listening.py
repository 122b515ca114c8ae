"""Where the daemon listens and how: plain text stays on the machine, TLS needs files that fit."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from fivehundred.cli.app import execute
from fivehundred.daemon.attach_tokens import token_hash
from fivehundred.daemon.errors import StartError
from fivehundred.daemon.listening import Security, bind, is_local
from fivehundred.daemon.serve import serve
from fivehundred.storage.access import AccessToken, AccessTokens, Role
from fivehundred.storage.store import open_store
from fivehundred.v1 import tournament_pb2, tournament_pb2_grpc
from fivehundred_bots.basic import Basic
from fivehundred_client import Tls
from fivehundred_client.attach import attach_for_ever
from fivehundred_client.tls import TlsError, tls_of

PROGRAM = str(Path(sys.executable).parent / "fivehundred")
OPENSSL = shutil.which("openssl")
WANTS_OPENSSL = pytest.mark.skipif(OPENSSL is None, reason="wants the program openssl")
NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
ANYWHERE = "0.0.0.0:0"


@dataclass(frozen=True)
class Files:
    """Certificates and keys as PEM, and files that are none."""

    directory: Path

    def __getattr__(self, name: str) -> Path:
        return self.directory / name.replace("_", ".")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """An authority, a daemon's certificate, a client's, a stranger's, and what is none."""
    made = Files(tmp_path_factory.mktemp("tls"))
    for authority in ("ca", "stranger"):
        _openssl(made, "req", "-x509", *NEW_KEY, *_named(authority), "-out", f"{authority}.pem")
    for name in ("daemon", "client"):
        _openssl(made, "req", *NEW_KEY, *_named(name), "-out", f"{name}.csr")
        made.daemon_ext.write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        _openssl(
            made, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
            "-CAcreateserial", "-days", "2", "-extfile", "daemon.ext", "-out", f"{name}.pem",
        )  # fmt: skip
    _openssl(
        made, "ec", "-in", "daemon.key", "-aes128", "-passout", "pass:x500", "-out", "locked.key"
    )
    made.none_pem.write_text("none\n")
    return made


def _named(name: str) -> list[str]:
    return ["-keyout", f"{name}.key", "-subj", f"/CN={name}"]


def _openssl(files: Files, *arguments: str) -> None:
    assert OPENSSL is not None
    subprocess.run([OPENSSL, *arguments], cwd=files.directory, check=True, capture_output=True)


def bound(listen: str, security: Security) -> str:
    """The address at which a server would listen."""

    async def bound_once() -> str:
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        try:
            return bind(server, listen, security)
        finally:
            await server.stop(None)

    return asyncio.run(bound_once())


@pytest.mark.parametrize(
    ("listen", "local"),
    [
        ("127.0.0.1:5000", True),
        ("127.9.9.9:5000", True),
        ("localhost:5000", True),
        ("[::1]:5000", True),
        ("unix:/run/fivehundred.sock", True),
        ("0.0.0.0:5000", False),
        ("[::]:5000", False),
        ("192.168.1.2:5000", False),
        ("localhost.example.org:5000", False),
        ("*:5000", False),
    ],
)
def test_only_this_machine_reaches_what_is_local(listen: str, local: bool) -> None:
    assert is_local(listen) is local


def test_plain_text_leaves_the_machine_only_where_it_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(
        StartError, match=r"give --tls-cert FILE and --tls-key FILE, or --plaintext"
    ):
        bound(ANYWHERE, Security())

    assert bound(ANYWHERE, Security(plaintext=True)).startswith("0.0.0.0:")
    assert "plaintext_beyond_this_machine" in capsys.readouterr().out


@WANTS_OPENSSL
@pytest.mark.parametrize(
    ("security", "wanted"),
    [
        (lambda f: Security(certificate=f.daemon_pem), "--tls-cert and --tls-key belong together"),
        (lambda f: Security(key=f.daemon_key), "--tls-cert and --tls-key belong together"),
        (lambda f: Security(client_ca=f.ca_pem), "--client-ca is for TLS"),
        (
            lambda f: Security(None, f.daemon_pem, f.daemon_key, plaintext=True),
            "--plaintext and --tls-cert: give one",
        ),
        (
            lambda f: Security(None, f.absent_pem, f.daemon_key),
            "--tls-cert .*absent.pem cannot be read .No such file",
        ),
        (
            lambda f: Security(None, f.directory, f.daemon_key),
            "--tls-cert .* cannot be read .Is a directory",
        ),
        (
            lambda f: Security(None, f.none_pem, f.daemon_key),
            "--tls-cert .*none.pem holds no certificate: name a PEM file",
        ),
        (
            lambda f: Security(None, f.daemon_pem, f.none_pem),
            "--tls-key .*none.pem holds no private key",
        ),
        (
            lambda f: Security(None, f.daemon_pem, f.locked_key),
            "--tls-key .*locked.key holds no private key .* without a passphrase",
        ),
        (
            lambda f: Security(None, f.daemon_pem, f.client_key),
            "--tls-key .*client.key is not the key of --tls-cert .*daemon.pem",
        ),
        (
            lambda f: Security(None, f.daemon_pem, f.daemon_key, f.none_pem),
            "--client-ca .*none.pem holds no certificate",
        ),
    ],
)
def test_files_that_do_not_fit_are_named(
    files: Files, security: Callable[[Files], Security], wanted: str
) -> None:
    with pytest.raises(StartError, match=wanted):
        bound("127.0.0.1:0", security(files))


@contextmanager
def serving(tmp_path: Path, *options: str) -> Iterator[str]:
    """A daemon with some options; gives its address."""
    command = [PROGRAM, "serve", "--database", str(tmp_path / "tls.db"), *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as popen:
        assert popen.stdout is not None
        try:
            yield popen.stdout.readline().removeprefix("listening on ").strip()
        finally:
            popen.kill()


class Program:
    """The program, run in this process with some more of an environment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, **environment: str) -> tuple[str, str]:
        """What a command says on standard output and on standard error."""
        with self._monkeypatch.context() as patch:
            for name, text in environment.items():
                patch.setenv(name, text)
            execute(arguments)
        said = self._capsys.readouterr()
        return said.out, said.err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(monkeypatch, capsys)


def keep_a_token(database: Path) -> None:
    """Put the token "secret" of an admin into a database."""
    with open_store(database) as store:
        hashed = token_hash("secret")
        AccessTokens(store.engine).create(AccessToken("me", Role.ADMIN, (), 0, None, hashed))


@WANTS_OPENSSL
def test_everything_goes_by_tls_with_certificates_and_tokens(
    files: Files, run: Program, tmp_path: Path
) -> None:
    keep_a_token(tmp_path / "tls.db")
    access = {"FIVEHUNDRED_ACCESS_TOKEN": "secret"}
    tls = {"FIVEHUNDRED_TLS_CA": str(files.ca_pem)}
    own = {
        "FIVEHUNDRED_TLS_CERT": str(files.client_pem),
        "FIVEHUNDRED_TLS_KEY": str(files.client_key),
    }
    options = ["--tls-cert", str(files.daemon_pem), "--tls-key", str(files.daemon_key)]
    options += ["--client-ca", str(files.ca_pem), "--listen", ANYWHERE]

    with serving(tmp_path, *options) as address:
        here = address.replace("0.0.0.0", "127.0.0.1")
        listing = ("bot", "list", "--daemon", here)
        token, _ = run(
            *("bot", "register", "far", "--attached", "--daemon", here), **tls, **own, **access
        )
        attached = asyncio.run(attach_once(here, token.strip(), files))
        _, without_token = run(*listing, **tls, **own)
        _, without_certificate = run(*listing, **tls, **access)
        _, in_plain_text = run(*listing, **access)
        _, of_a_stranger = run("--tls-ca", str(files.stranger_pem), *listing, **own, **access)

    assert attached == [f"attached to {here} as far"]
    assert "no token: send one" in without_token
    assert "no daemon answers by TLS" in without_certificate
    assert "one that speaks TLS wants FIVEHUNDRED_TLS_CA" in in_plain_text
    assert "no daemon answers by TLS" in of_a_stranger
    assert "stranger.pem" in of_a_stranger


async def attach_once(address: str, token: str, files: Files) -> list[str]:
    """What is said when a bot dials in, until it is attached."""
    said: list[str] = []
    told = asyncio.Event()

    def say(text: str) -> None:
        said.append(text)
        told.set()

    tls = Tls(files.ca_pem, files.client_pem, files.client_key)
    attaching = asyncio.ensure_future(
        attach_for_ever(Basic(), address, "far", token, say=say, tls=tls)
    )
    async with asyncio.timeout(20):
        await told.wait()
    attaching.cancel()
    await asyncio.gather(attaching, return_exceptions=True)
    return said


def test_tokens_that_are_wanted_must_exist(tmp_path: Path) -> None:
    wanted = serve("127.0.0.1:0", tmp_path / "new.db", print, security=Security(tokens=True))

    with pytest.raises(StartError, match=r"no valid token of the role ADMIN.* token create NAME"):
        asyncio.run(wanted)


def test_without_tokens_everybody_is_let_in_though_there_are_some(tmp_path: Path) -> None:
    keep_a_token(tmp_path / "tls.db")

    with (
        serving(tmp_path, "--listen", "127.0.0.1:0", "--no-tokens") as address,
        grpc.insecure_channel(address) as channel,
    ):
        stub = tournament_pb2_grpc.TournamentServiceStub(channel)
        listed = stub.ListTournaments(tournament_pb2.ListTournamentsRequest(), timeout=20)

    assert not listed.tournaments


@WANTS_OPENSSL
@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"CA": "none_pem"}, "none.pem .FIVEHUNDRED_TLS_CA. holds no certificate"),
        (
            {"CA": "absent_pem"},
            "absent.pem .FIVEHUNDRED_TLS_CA. holds no certificate: No such",
        ),
        ({"CERT": "client_pem", "KEY": "client_key"}, "set FIVEHUNDRED_TLS_CA as well"),
        ({"CA": "ca_pem", "CERT": "client_pem"}, "belong together: set both"),
        (
            {"CA": "ca_pem", "CERT": "client_pem", "KEY": "daemon_key"},
            "client.pem .FIVEHUNDRED_TLS_CERT. and .*daemon.key .* are no certificate and its key",
        ),
    ],
)
def test_a_client_s_files_that_do_not_fit_are_named(
    files: Files, environment: dict[str, str], wanted: str
) -> None:
    named = {
        f"FIVEHUNDRED_TLS_{key}": str(getattr(files, name)) for key, name in environment.items()
    }

    with pytest.raises(TlsError, match=wanted):
        tls = tls_of(named)
        assert tls is not None
        tls.credentials()


def test_plain_text_is_spoken_where_nothing_is_said() -> None:
    assert tls_of({"PATH": "/bin"}) is None
