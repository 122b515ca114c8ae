"""Which frames are read back from a file of decisions that has been damaged."""

from pathlib import Path

import pytest

from fivehundred.storage.decisions import (
    DecisionsFile,
    begin,
    file_of,
    frame,
    under_way,
    wait_for_workers,
    worker_files,
)
from fivehundred.storage.errors import StorageError

CUP = ("cup", 3)
FRAMES = [frame(CUP, event, starts=event == b"start") for event in (b"start", b"one", b"two")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is."""
    return tmp_path / "decisions"


def test_no_file_has_nothing_under_way(path: Path) -> None:
    assert under_way(path) == {}


def test_events_are_those_since_the_last_start(path: Path) -> None:
    other = frame(("cup", 4), b"else", starts=False)
    path.write_bytes(b"".join([*FRAMES, other, *FRAMES[:2]]))

    assert under_way(path) == {CUP: [b"start", b"one"], ("cup", 4): [b"else"]}


@pytest.mark.parametrize("lost", range(1, len(FRAMES[2]) + 1))
def test_torn_frame_is_ignored(path: Path, lost: int) -> None:
    path.write_bytes(b"".join(FRAMES)[:-lost])

    assert under_way(path) == {CUP: [b"start", b"one"]}


@pytest.mark.parametrize("place", range(len(FRAMES[1])))
def test_nothing_is_read_from_a_damaged_frame_on(path: Path, place: int) -> None:
    content = bytearray(b"".join(FRAMES))
    content[len(FRAMES[0]) + place] ^= 0x41
    path.write_bytes(content)

    assert under_way(path) == {CUP: [b"start"]}


def test_zeros_that_a_loss_of_power_leaves_are_no_frames(path: Path) -> None:
    path.write_bytes(FRAMES[0] + bytes(4096) + FRAMES[1])

    assert under_way(path) == {CUP: [b"start"]}


def test_rewriting_leaves_what_is_wanted_and_goes_on(path: Path) -> None:
    file = DecisionsFile(path, FRAMES)

    file.rewrite(FRAMES[:1])
    file.add(FRAMES[2])
    file.close()

    assert path.read_bytes() == FRAMES[0] + FRAMES[2]
    assert file.size == len(FRAMES[0] + FRAMES[2])
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_worker_has_a_file_beside_the_daemons(path: Path) -> None:
    file_of(path, 12).touch()
    file_of(path, 3).touch()
    path.with_name(f"{path.name}.3.new").touch()
    path.with_name(f"other{path.name}.3").touch()

    assert sorted(worker_files(path)) == sorted([file_of(path, 3), file_of(path, 12)])


def test_a_file_that_a_process_writes_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fivehundred.storage.decisions.PATIENCE_S", 0)
    file = DecisionsFile(file_of(path, 1), FRAMES)
    with pytest.raises(StorageError, match=r"decisions\.1 is still being written"):
        wait_for_workers(path)
    file.rewrite(FRAMES)
    with pytest.raises(StorageError, match="still being written"):
        wait_for_workers(path)

    file.close()

    wait_for_workers(path)


def test_a_file_that_another_process_has_begun_is_gone_on_with(path: Path) -> None:
    file = DecisionsFile(path, (), begin(path))

    file.add(FRAMES[0])
    file.close()

    assert path.read_bytes() == FRAMES[0]
