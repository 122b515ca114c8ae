"""Regenerate server/fivehundred/v1 from proto/; with --check, fail where it differs.

Example: python proto/generate.py --check
"""

import filecmp
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc  # type: ignore[import-untyped]  # has no marker

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "server" / "fivehundred" / "v1"


def generate(out: Path) -> None:
    """Write the modules and stubs of every .proto file below ``out``."""
    sources = sorted((ROOT / "proto" / "fivehundred" / "v1").glob("*.proto"))
    well_known = resources.files("grpc_tools") / "_proto"
    arguments = [f"-I{ROOT / 'proto'}", f"-I{well_known}"]
    arguments += [f"--{kind}_out={out}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    if protoc.main(["protoc", *arguments, *map(str, sources)]) != 0:
        raise SystemExit("protoc failed; its messages are above")
    package = out / "fivehundred" / "v1"
    (package / "__init__.py").write_text('"""Generated from proto/fivehundred/v1; not edited."""\n')


def differences(package: Path) -> list[str]:
    """Names of generated files that differ from the committed ones."""
    fresh = {path.name for path in package.iterdir()}
    committed = {path.name for path in TARGET.iterdir() if path.suffix in {".py", ".pyi"}}
    _, differing, missing = filecmp.cmpfiles(package, TARGET, sorted(fresh), shallow=False)
    return sorted({*differing, *missing, *(committed - fresh)})


def main() -> None:
    """Run the program."""
    if sys.argv[1:] not in ([], ["--check"]):
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as directory:
        generate(Path(directory))
        package = Path(directory) / "fivehundred" / "v1"
        if sys.argv[1:] == ["--check"]:
            if stale := differences(package):
                raise SystemExit(f"out of date: {', '.join(stale)}; run python proto/generate.py")
            return
        shutil.rmtree(TARGET, ignore_errors=True)
        shutil.copytree(package, TARGET)


if __name__ == "__main__":
    main()
