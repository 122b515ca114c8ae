"""A hand survives being written as text; a text is read generously, and blamed by the line."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from fivehundred.rules.hand import Outcome
from fivehundred.rules.ruleset import RuleSet
from fivehundred.table.values import Fault, FaultKind, Receipt
from fivehundred.wire.errors import MalformedMessage
from fivehundred.wire.hand_text import HandTextError, WrittenHand, dumps, loads
from fivehundred.wire.hand_text.naming import RulesName, name_of, rules_of
from fivehundred.wire.presets import load_preset, preset_names
from fivehundred.wire.record import record_to_proto
from fivehundred.wire.ruleset import rules_hash
from random_hands import random_record
from random_rules import random_rules

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "hand-format.md"
TAGS = (("Event", "spring ♠"), ("annotator", ""), ("Event", 'a "second"'))


def examples() -> list[str]:
    """The hands of the document: one with everything, one as a person types it."""
    return re.findall(
        r"^```text\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


WHOLE, TYPED = examples()


def refusal(text: str) -> str:
    """What is said of a text that is no hand."""
    with pytest.raises(HandTextError) as caught:
        loads(text)
    return str(caught.value)


def line_of(text: str, start: str) -> int:
    """The number of the first line that starts so."""
    lines = text.splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(start))


def require_round_trip(rules: RuleSet, random: Random) -> Outcome:
    record = random_record(rules, random)

    text = dumps([WrittenHand(record, rules, TAGS)])

    (read,) = loads(text)
    assert read.record == record
    assert read.tags == TAGS
    assert record_to_proto(read.record) == record_to_proto(record)
    assert dumps([read]) == text
    return record.ended.result.outcome


@pytest.mark.parametrize("name", preset_names())
def test_hands_of_every_preset_survive(name: str) -> None:
    rules, random = load_preset(name), Random(name)

    outcomes = {require_round_trip(rules, random) for _ in range(15)}

    assert Outcome.PLAYED in outcomes
    assert name_of(rules) == RulesName(name)


@pytest.mark.parametrize("seed", range(40))
def test_hands_of_any_rules_survive(seed: int) -> None:
    random = Random(seed)
    rules = random_rules(random)

    for _ in range(3):
        require_round_trip(rules, random)

    assert rules_hash(rules_of(name_of(rules))) == rules_hash(rules)


@pytest.mark.parametrize("seed", range(40))
def test_any_rules_have_a_name_after_any_preset(seed: int) -> None:
    random = Random(seed)
    rules, preset = random_rules(random), random.choice(preset_names())

    name = name_of(rules, preset)

    assert name.preset == preset or not (name.clear or name.override)
    assert rules_hash(rules_of(name)) == rules_hash(rules)


def test_rules_keep_the_preset_that_they_are_named_after() -> None:
    changed = TYPED.replace("[Dealer", '[Override "target: 1000 floor: 0"]\n[Dealer')
    for preset in ("au-4p-43", "ko-4p-43"):
        (hand,) = loads(changed.replace("au-4p-43", preset))

        text = dumps([hand])

        assert (hand.preset, hand.rules.target) == (preset, 1000)
        assert text.count(f'[Rules "{preset}"]') == 1
        assert dumps(loads(text)) == text


def test_a_deal_without_its_deck_is_dealt_again() -> None:
    random = Random(11)
    for name in preset_names():
        rules = load_preset(name)
        text = dumps([WrittenHand(random_record(rules, random), rules)])

        unordered = re.sub(r"^\[Deck .*\n|^digest.*\n", "", text, flags=re.MULTILINE)
        again = dumps(loads(unordered))

        assert re.sub(r"^\[Deck .*\n|^digest.*\n", "", again, flags=re.MULTILINE) == unordered


def test_several_hands_stand_in_one_text() -> None:
    random = Random(3)
    sets = [load_preset("ko-3p-33"), random_rules(random), load_preset("au-6p-63")]
    hands = [WrittenHand(random_record(rules, random), rules) for rules in sets]

    read = loads(dumps(hands))

    assert [hand.record for hand in read] == [hand.record for hand in hands]


def test_a_text_without_a_hand_has_none() -> None:
    assert loads("") == []
    assert loads("\ufeff; nothing\r\n\n") == []
    assert dumps([]) == ""


def test_the_document_s_example_is_canonical() -> None:
    (hand,) = loads(WHOLE)

    fault = hand.record.decisions[21].fault
    assert dumps([hand]) == WHOLE
    assert fault is not None
    assert (fault.kind, fault.answer) == (FaultKind.ILLEGAL, bytes.fromhex("0a02083f"))
    assert hand.record.decisions[2].note == "seven hearts, three losers"


def test_what_a_person_types_is_enough() -> None:
    (hand,) = loads(TYPED)

    started = hand.record.started
    assert hand.record.ended.result.outcome is Outcome.PASSED_OUT
    assert (started.bots, started.entrants, started.scores_before) == (
        ("", "", "", ""),
        (0, 1, 0, 1),
        (0, 0),
    )
    assert loads(dumps([hand])) == [hand]


def test_a_text_is_read_generously() -> None:
    head, rows, strings = re.split("(?=Deal\n|Faults)", WHOLE)
    for section in ("Auction", "Exchange", "Play", "Result"):
        rows = rows.replace(section, f"\n{section.upper()} : # now")
    rows = re.sub(r">(\w+)", r"> \1", rows).replace("!ILLEGAL", " ! illegal").replace("200", "+200")
    rows = re.sub(r"(?m)^ +[1-9]:", "\t", rows)
    rows = re.sub(r"\b[A-Z\d]+\b", lambda card: card[0].lower(), rows)
    rows = re.sub(r"(\d)s\b", r"\1♠", rows)
    sloppy = "\ufeff\n" + head.replace('"]', '" ]').replace("[", " [ ") + rows + strings

    assert sloppy.count("♠") > 5
    assert loads(sloppy.replace("\n", '  ; said "so\r\n')) == loads(WHOLE)


def test_sections_come_in_any_order() -> None:
    tags, *sections = WHOLE.strip().split("\n\n")

    assert loads("\n\n".join((tags, *reversed(sections)))) == loads(WHOLE)


@pytest.mark.parametrize("section", ["Result", "Faults", "Notes"])
def test_a_section_may_be_missing(section: str) -> None:
    parts = [part for part in WHOLE.split("\n\n") if not part.startswith(section)]
    if section != "Result":
        parts = [re.sub(r"digest.*", "", part) for part in parts]

    (hand,) = loads("\n\n".join(parts))

    assert record_to_proto(hand.record).facts == record_to_proto(loads(WHOLE)[0].record).facts


def test_times_are_kept_to_the_microsecond() -> None:
    (hand,) = loads(WHOLE + "\nTimes\n2: 18655 1021 17634 18446744073709551615\n")

    receipts = [decided.receipt for decided in hand.record.decisions]
    assert receipts[1] == Receipt(18655, 1021, 17634, (1 << 64) - 1)
    assert {receipts[0], *receipts[2:]} == {Receipt(0, 0, 0, 0)}


WRONG = [
    ("[Rules", '[Rules "au-4p-44"]', '[Rules "', "no preset 'au-4p-44'"),
    ("[RulesHash", '[RulesHash "00"]', "[RulesHash", "have the hash 138a13b7"),
    ("[RulesHash", '[Override "target: 9999999"]', "[Override", "target"),
    ("[RulesHash", '[Override "floor: 4294967295"]', "[Override", "no fields of a rule set"),
    ("[RulesHash", '[Override "tarket: 1"]', "[Override", "no fields of a rule set"),
    ("[RulesHash", '[Clear "target"]', "[Clear", "cannot be cleared"),
    ("[Dealer", "", "[Tournament", "the hand has no Dealer"),
    ("[Dealer", '[Dealer "4"]', "[Dealer", "from 0 to 3"),
    ("[Dealer", '[Dealer "0"]\n[dealer "0"]', "[dealer", "dealer is given on line "),
    ("[Seat3", '[Seat4 "x"]', "[Seat4", "the seats are 0 to 3"),
    ("[Match", '[Match "99999999999"]', "[Match", "write a whole number"),
    ("[Match", "[Match 0]", "[Match", "is no tag"),
    ("[Match", '[Match "\\x"]', "[Match", "is no string"),
    ("[Match", '[Tour "\\ud800"]', "[Tour", "is no string"),
    ("[Entrants", '[Entrants "0 1"]', "[Entrants", "2 numbers: Entrants has 4"),
    ("[Deck", '[Deck "AC 8D"]', "[Deck", "these 2 cards are not the pack of 43"),
    ("seat 0: KS", "seat 0: QS", "seat 0: QS", "1 cards: seat 0 gets 10"),
    ("kitty", "kitty: QS 5S KD", "kitty", "KD: not in the pack, or dealt before"),
    ("kitty", "kitty: QS 5S 5S", "kitty", "5S is here twice"),
    ("kitty", "kitti: QS 5S KC", "kitti", "is no place left: write one of kitty"),
    ("6D       7H", "6D 7Z P P", "6D 7Z", "'7Z' is no call here: write P, a level"),
    ("6D       7H", "6D 5H P P", "6D 5H", "'5H' is no call here"),
    ("6D       7H", "6D 6C P P", "6D 6C", "6C may not be called"),
    ("6D       7H", "6D - P P", "6D -", "seat 2 is to call; write - for a seat that is not"),
    ("P", "P P", "P P", "'P': the auction is over: 7H by seat 2; seat 2 is to exchange"),
    ("6D       7H", "6D 7\u017f P P", "6D 7", "write with the letters A to Z"),
    ("seat 0: KS", "seat 0: K\u017f", "seat 0: K", "write with the letters A to Z"),
    ("Play", "Plays", "Plays", "write a seat, a colon .*; the sections are Deal, Auction, Exch"),
    ("Auction", "Auktion:", "Auktion:", "no place left: .*; the sections are Deal, Auction"),
    ("[Seat3", '[Seat00003 "x"]', "[Seat00003", "Seat00003: write Seat3"),
    ("[Seat3", '[seat000 "x"]', "[seat000", "seat000: write Seat0"),
    ("[Seat3", '[Seat0 "x"]\n[Rules "x"]', '[Seat0 "x"]', "Seat0 is given on line "),
    ("seat 2: 9C", "seat 2: 9C 6D", "seat 2: 9C 6D", "2 cards thrown: throw exactly 3"),
    ("seat 2: 9C", "seat 1: 9C 6D 5D", "seat 1: 9C", "it is seat 2's turn"),
    ("seat 2: 9C", "9C 6D 5D", "9C 6D 5D", "write a seat, a colon and the cards"),
    ("1:  4H", " 4H >JKR 7H 6H extra", "4H >JKR", "5 cells: write one for each of 4 seats"),
    ("1:  4H", ">4H JKR 7H 6H", ">4H", "seat 1 is marked as the leader: seat 2 leads"),
    ("1:  4H", "4H >JKR 9H 9H", "4H >JKR", "9H may not be played"),
    ("1:  4H", "4H JKR 7H 6H!LATE", "4H JKR", "'LATE' is no fault: write one of TIMEOUT"),
    ("1:  4H", "4H JKR!TIMEOUT 7H 6H", "4H JKR", "JKR cannot stand for a fault"),
    ("2:  JH", "", "3: >AC", "trick 3 stands where trick 2 should"),
    ("4: >AD", "4: >AD - 6C 7D!ILLEGAL", "4: >AD", "it is seat 2's turn"),
    ("10:  8D", "", '3: "seven', "the hand is not over"),
    ("outcome", "outcome: passed out", "outcome", "the hand as written gives 'played'"),
    ("outcome", "outcome: forfeited", "outcome", "say who forfeits"),
    ("forfeited by", "forfeited by: 7", "forfeited by", "entrant 7 forfeits without a seat"),
    ("contract", "contract: 7H by seat 3", "contract", "gives '7H by seat 2'"),
    ("tricks", "tricks: 1 3 5 1", "tricks", "gives '1 3 6 0'"),
    ("change", "change: 200 20", "change", "gives '+200 +30'"),
    ("digest", "digest: 00", "digest", "the hand as written gives 'e60d"),
    ("digest", "digest: 0\ndigest: 0", "digest", "digest is on line"),
    ("digest", "colour: red", "colour", "write one of outcome"),
    ("22: ILLEGAL", '23: ILLEGAL "x"', "23: ILL", "is not marked as !ILLEGAL"),
    ("22: ILLEGAL", '22: ILLEGAL "x" abc', "22: ILL", "pairs of hexadecimal digits"),
    ("22: ILLEGAL", f'22: ILLEGAL "{"x" * 501}"', "22: ILL", "at most 500 characters"),
    ("22: ILLEGAL", '99: ILLEGAL "x"', "99: ILL", "from 1 to"),
    ('3: "seven', "3: seven hearts", "3: seven", "write the note as a string"),
    ('3: "seven', '3: "seven', '3: "seven', "has no closing quote"),
    ("Notes", "Faults", "Faults", "Faults is here twice"),
    ("Notes", "Times", '3: "seven', "has no closing quote|write a whole number"),
    ("Deal", "Diel", "Diel", "write a tag or one of Deal, Auction"),
]


@pytest.mark.parametrize(("start", "instead", "blamed", "words"), WRONG)
def test_the_first_thing_wrong_is_named_with_its_line(
    start: str, instead: str, blamed: str, words: str
) -> None:
    lines = WHOLE.splitlines()
    lines[line_of(WHOLE, start) - 1] = instead
    text = "\n".join(lines)

    said = refusal(TYPED + text)

    number = len(text.splitlines()) - line_of("\n".join(reversed(text.splitlines())), blamed) + 1
    assert said.startswith(f"hand 2, line {TYPED.count(chr(10)) + number}: ")
    assert re.search(words, said) or words in said


def test_a_text_begins_with_a_tag() -> None:
    assert refusal("; hands\n\nDeal\n" + WHOLE) == (
        "hand 1, line 3: 'Deal': a hand begins with a tag as in [Rules \"au-4p-43\"]"
    )


def test_a_card_may_be_missing_only_from_the_last_trick() -> None:
    text = re.sub(r"(?m)^ +9:.*$", "- >5S JS JD", WHOLE)

    assert "trick 9 lacks a card: write it first" in refusal(text)


def test_a_game_may_end_by_the_cap_on_deals() -> None:
    capped = re.sub(r"(?m)^digest.*\n", "", WHOLE.replace("game over: no", "game over: yes"))

    assert "winning sides '-': the hand as written gives '0'" in refusal(capped)
    (hand,) = loads(capped.replace("winning sides: -", "winning sides: 0"))
    assert hand.record.ended.result.winners == (0,)


def test_a_forfeit_needs_no_more_than_its_entrant() -> None:
    tags, deal, auction, *_ = WHOLE.split("\n\n")

    (hand,) = loads(f"{tags}\n{deal}\n{auction}\nResult\nforfeited by: 1")

    assert hand.record.ended.forfeited_by == 1
    assert hand.record.ended.result.outcome is Outcome.FORFEITED
    assert hand.record.ended.result.winners == (0,)


def test_a_record_that_its_rules_forbid_is_not_written() -> None:
    (hand,) = loads(WHOLE)
    record = hand.record
    late = replace(record.decisions[0], fault=Fault(FaultKind.TIMEOUT, ""))
    wrong = {
        "rules hash": replace(record, rules_hash=b"x"),
        "decision 1: 6D cannot stand for a fault": replace(
            record, decisions=(late, *record.decisions[1:])
        ),
        "the hand is not over": replace(record, decisions=record.decisions[:-1]),
        "3 bots: the rules want 4": replace(
            record, started=replace(record.started, bots=("a", "b", "c"))
        ),
        "its change is": replace(
            record,
            ended=replace(record.ended, result=replace(record.ended.result, change=(1, 2))),
        ),
    }

    for words, changed in wrong.items():
        with pytest.raises(MalformedMessage, match=words):
            dumps([replace(hand, record=changed)])


def test_a_tag_of_the_hand_s_own_is_not_written_twice() -> None:
    (hand,) = loads(WHOLE)

    with pytest.raises(MalformedMessage, match="'dealer' cannot be a tag"):
        dumps([replace(hand, tags=(("dealer", "3"),))])


MUTATIONS = ("cut", "swap", "twice", "drop", "change", "insert", "join")
CHARACTERS = '0123456789SCDHJQKA><!:;#-"[]\\ \t\n\r=,.+xé♠\x00\u2028٣²'


def mutated(text: str, random: Random) -> str:
    """A text with one to four things wrong with it, perhaps."""
    for _ in range(random.randint(1, 4)):
        lines = text.split("\n")
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        match random.choice(MUTATIONS):
            case "cut":
                text = text[: random.randrange(len(text) + 1)]
                continue
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "twice":
                lines.insert(other, lines[at])
            case "drop":
                del lines[at]
            case "join":
                lines[at] += lines[other]
            case "change":
                place = random.randrange(len(lines[at]) + 1)
                changed = random.choice(CHARACTERS) + lines[at][place + 1 :]
                lines[at] = lines[at][:place] + changed
            case _:
                place = random.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:place] + random.choice(CHARACTERS) + lines[at][place:]
        text = "\n".join(lines)
    return text


@pytest.mark.parametrize("part", range(4))
def test_a_malformed_text_is_read_or_refused(part: int) -> None:
    random = Random(part)
    sets = [load_preset(name) for name in preset_names()]
    sets += [random_rules(random) for _ in range(10)]
    good = [dumps([WrittenHand(random_record(rules, random), rules)]) for rules in sets]
    good += [TYPED, WHOLE]
    refused = 0

    for _ in range(2_500):
        text = mutated(random.choice(good), random)
        try:
            hands = loads(text)
        except HandTextError as error:
            assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1
            refused += 1
        else:
            assert loads(dumps(hands)) == hands

    assert 1_000 < refused < 2_500


@pytest.mark.parametrize("opening", ['"', '"\\', "[", "[A", '[A "', "\\" * 2, "1:", ">", "!", " "])
def test_a_long_line_is_read_in_no_time(opening: str) -> None:
    for tail in ("", '"', "]", "\n"):
        assert "line" in refusal(f'[Rules "au-4p-43"]\nPlay\n{opening * 50_000}{tail}')
