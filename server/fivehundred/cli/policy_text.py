"""Time controls and fault policies in words."""

from fivehundred.table.values import ForfeitScope
from fivehundred.v1.tournament_pb2 import FaultPolicy, TimeControl
from fivehundred.wire.spec import fault_policy, time_control

_FORFEITED = {
    ForfeitScope.MATCH: "the rest of the match",
    ForfeitScope.BOARD: "the rest of the board",
    ForfeitScope.HAND: "the hand",
}


def time_text(message: TimeControl) -> str:
    """``bid 1 s, discard 1 s, play 0.5 s; bank 10 s, 1 s more a hand; …``."""
    time = time_control(message)
    limits = ((time.bid_us, "bid"), (time.discard_us, "discard"), (time.play_us, "play"))
    parts = [", ".join(f"{name} {_seconds(limit)}" for limit, name in limits)]
    if time.bank_us:
        more = f", {_seconds(time.increment_us)} more a hand" if time.increment_us else ""
        parts.append(f"bank {_seconds(time.bank_us)}{more}")
    if time.soft_us:
        soft, slow = _seconds(time.soft_us), _times(time.soft_strikes, "answer")
        parts.append(f"{soft} after {slow} over {soft} in a match")
    parts.append(f"first decision {_seconds(time.first_decision_us)} more")
    parts.append(f"connect {_seconds(time.connect_us)}")
    return "; ".join(parts)


def policy_text(message: FaultPolicy) -> str:
    """``10 faults of an entrant in a match forfeit the rest of the match; …``."""
    policy, suspension = fault_policy(message)
    text = "faults never forfeit"
    if policy.strikes is not None:
        forfeit = "forfeits" if policy.strikes == 1 else "forfeit"
        faults = _times(policy.strikes, "fault")
        text = f"{faults} of an entrant in a match {forfeit} {_FORFEITED[policy.forfeit]}"
    if suspension is None:
        return text
    faults, most = _times(suspension.faults, "fault"), _seconds(suspension.patience_us)
    probe = _seconds(suspension.probe_us)
    return f"{text}; {faults} in a row suspend an entrant for {most} at most, greeted every {probe}"


def _seconds(microseconds: int) -> str:
    return f"{microseconds / 1e6:g} s"


def _times(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
