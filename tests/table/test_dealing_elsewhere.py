"""Whole deals derived as anybody could, in thirty lines on hashlib and hmac, and the engine's."""

import hashlib
import hmac
import re
from pathlib import Path

import pytest

from fivehundred.rules.cards import card_name, names
from fivehundred.rules.pack import deal
from fivehundred.table.dealing import commitment, deal_secret, deck_order, seat_seeds
from fivehundred.wire.presets import load_preset

SEED = bytes(range(32))
ENTROPY = (b"sixteen bytes or", b"", bytes(64))
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"

RULES = [
    # preset, players, kitty, dead hands, personal kitty, ranks by suit, jokers
    ("au-4p-43", 4, 3, 0, 0, {"S": 5, "C": 5, "D": 4, "H": 4}, 10, ["JKR"]),
    ("ko-3p-33", 3, 3, 0, 0, {"S": 7, "C": 7, "D": 7, "H": 7}, 10, ["JKR"]),
    ("qc-4p-46-vi", 4, 6, 0, 0, {"S": 4, "C": 4, "D": 4, "H": 4}, 10, ["JK2", "JKR"]),
    ("hist-2p-25", 2, 1, 0, 2, {"S": 9, "C": 9, "D": 9, "H": 9}, 10, ["JKR"]),
    ("hist-6p-60", 6, 0, 0, 0, {"S": 2, "C": 2, "D": 2, "H": 2}, 12, []),
    ("us-4p-45", 4, 5, 0, 0, {"S": 4, "C": 4, "D": 4, "H": 4}, 10, ["JKR"]),
    ("uspc-2p-33-dead", 2, 3, 1, 0, {"S": 7, "C": 7, "D": 7, "H": 7}, 10, ["JKR"]),
    ("uspc-5p-53", 5, 3, 0, 0, {"S": 2, "C": 2, "D": 2, "H": 2}, 10, ["JKR"]),
]


# The derivation: nothing of it is the project's.
def secret_of(seed: bytes, entropy: tuple[bytes, ...]) -> bytes:
    added = b"".join(hashlib.sha256(each).digest() for each in entropy)
    whole = hashlib.sha256(b"fivehundred/entropy/v1" + seed + added).digest()
    return whole if any(entropy) else seed


def blocks(secret: bytes, purpose: str, place: tuple[int, int, int], count: int) -> list[bytes]:
    text = f"fivehundred/{purpose}/v1".encode() + b"".join(n.to_bytes(8, "big") for n in place)
    key = hmac.new(secret, text, hashlib.sha256).digest()
    return [hashlib.sha256(key + i.to_bytes(8, "big")).digest() for i in range(count)]


def shuffled(secret: bytes, place: tuple[int, int, int], pack: list[str]) -> list[str]:
    stream, pack = b"".join(blocks(secret, "deal", place, 64)), list(pack)
    words = iter(int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4))
    for i in range(len(pack) - 1, 0, -1):
        word = next(w for w in words if w < 2**32 - 2**32 % (i + 1))
        pack[i], pack[word % (i + 1)] = pack[word % (i + 1)], pack[i]
    return pack


def dealt(cards: list[str], players: int, kitty: int, dead: int, own: int) -> dict[str, set[str]]:
    """By place, seats as the number of steps from the dealer's left."""
    places: list[str] = []
    for size in (3, 4, 3):
        places += ["dead"] * size * dead + [str(s) for s in range(players) for _ in range(size)]
        places += ["kitty"] * (kitty // 3 if players == 4 and kitty % 3 == 0 else 0)
    places += ["kitty"] * (kitty - places.count("kitty"))
    places += [f"own {s}" for s in range(players) for _ in range(own)]
    return {name: {c for c, p in zip(cards, places, strict=True) if p == name} for name in places}


def pack_of(lowest: dict[str, int], highest: int, jokers: list[str]) -> list[str]:
    """Spades, clubs, diamonds, hearts from the lowest pip to the ace, then the jokers."""
    suits = lowest.items()
    return [
        f"{rank}{suit}" for suit, low in suits for rank in (*range(low, highest + 1), *"JQKA")
    ] + jokers


@pytest.mark.parametrize("entropy", [(), ENTROPY], ids=["seed alone", "entropy"])
@pytest.mark.parametrize("row", RULES, ids=[row[0] for row in RULES])
def test_a_deal_derived_elsewhere_is_the_engine_s(
    row: tuple[str, int, int, int, int, dict[str, int], int, list[str]],
    entropy: tuple[bytes, ...],
) -> None:
    preset, players, kitty, dead, own, lowest, highest, jokers = row
    rules = load_preset(preset)
    for place in ((0, 0, 0), (7, 0, 0), (123456, 3, 2)):
        secret = secret_of(SEED, entropy)
        cards = shuffled(secret, place, pack_of(lowest, highest, jokers))
        elsewhere = dealt(cards, players, kitty, dead, own)

        order = deck_order(deal_secret(SEED, entropy), *place, rules)

        assert cards == [card_name(card) for card in order]
        for dealer in range(players):
            here = deal(rules, order, dealer)
            for step in range(players):
                seat = (dealer + 1 + step) % players
                assert elsewhere[str(step)] == set(names(here.holdings[seat]).split())
                if own:
                    assert elsewhere[f"own {step}"] == set(names(here.personal[seat]).split())
            assert elsewhere.get("kitty", set()) == set(names(here.kitty).split())
            assert elsewhere.get("dead", set()) == set(names(here.dead).split())
        seeds = [int.from_bytes(b[:8], "big") for b in blocks(secret, "seat", place, players)]
        assert seeds == list(seat_seeds(deal_secret(SEED, entropy), *place, rules))


def test_no_entropy_leaves_the_seed_as_it_is() -> None:
    assert deal_secret(SEED, ()) == deal_secret(SEED, (b"", b"", b"")) == SEED


def test_each_entrant_s_entropy_and_its_place_change_the_secret() -> None:
    one, other = b"a" * 16, b"b" * 16
    given = [(), (one, b""), (b"", one), (one, other), (other, one), (one + other, b"")]

    assert len({deal_secret(SEED, entropy) for entropy in given}) == len(given)


def test_the_commitment_is_of_the_seed_whatever_entropy_is_added() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).digest()


def test_the_published_secrets_are_what_seed_and_entropy_give() -> None:
    found = re.findall(
        r"^\| `?([0-9a-f]*)`? \| `?([0-9a-f]*)`? \| `([0-9a-f]{64})` \| (.*) \| ([0-9a-f ]+) \|$",
        DOCUMENT.read_text(encoding="utf-8"),
        re.MULTILINE,
    )

    for first, second, secret, cards, seeds in found:
        derived = secret_of(SEED, (bytes.fromhex(first), bytes.fromhex(second)))
        pack = pack_of({"S": 5, "C": 5, "D": 4, "H": 4}, 10, ["JKR"])
        assert derived.hex() == secret
        assert cards.split() == shuffled(derived, (0, 0, 0), pack)[:10]
        assert seeds.split() == [b[:8].hex() for b in blocks(derived, "seat", (0, 0, 0), 4)]
    assert len(found) == 4
