"""Who is asked what: balanced at every moment, nobody twice about an item, the same for the same seed."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.studio.studies.assigning import assign, spread, with_checks
from affordance.studio.studies.sheets import Slot


def slots_of(items: int, per_item: int) -> list[Slot]:
    return [Slot(f"{item}.{turn}", f"item-{item}", turn) for item in range(items) for turn in range(per_item)]


@settings(max_examples=50)
@given(
    items=st.integers(1, 12),
    per_item=st.integers(1, 5),
    wishes=st.lists(st.one_of(st.none(), st.integers(1, 14)), max_size=25),
    seed=st.integers(0, 3),
)
def test_items_differ_by_one_at_most_whoever_comes(
    items: int, per_item: int, wishes: list[int | None], seed: int
) -> None:
    slots = slots_of(items, per_item)
    of_item = {slot.id: slot.item for slot in slots}
    held: dict[str, list[str]] = {}
    for number, count in enumerate(wishes):
        taken = {slot for mine in held.values() for slot in mine}
        mine = assign(slots, taken, f"seat-{number}", count, seed)
        assert len({of_item[slot] for slot in mine}) == len(mine), "nobody is asked about an item twice"
        assert not taken & set(mine), "a slot is one person's"
        free = {of_item[slot.id] for slot in slots if slot.id not in taken}
        assert len(mine) == min(len(free), items if count is None else count), "as many as there are"
        held[f"seat-{number}"] = mine
        loads = spread(slots, held)
        assert max(loads.values()) - min(loads.values()) <= 1
    turns = Counter((of_item[slot], int(slot.partition(".")[2])) for mine in held.values() for slot in mine)
    loads = spread(slots, held)
    assert all(turn < loads[item] for item, turn in turns), "the lowest turns first"


@settings(max_examples=50)
@given(
    items=st.integers(2, 8),
    per_item=st.integers(1, 4),
    leaving=st.lists(st.integers(0, 30), max_size=12),
    count=st.integers(1, 6),
)
def test_whoever_comes_after_others_have_left_evens_it_out(
    items: int, per_item: int, leaving: list[int], count: int
) -> None:
    slots = slots_of(items, per_item)
    of_item = {slot.id: slot.item for slot in slots}
    held: dict[str, list[str]] = {}
    for number in range(30):
        if number in leaving and held:
            held.pop(next(iter(held)))
        before = spread(slots, held)
        mine = assign(slots, {slot for one in held.values() for slot in one}, f"seat-{number}", count, 0)
        chosen = {of_item[slot] for slot in mine}
        others = [before[item] for item in before if item not in chosen and before[item] < per_item]
        assert all(before[item] <= least for item in chosen for least in others), "those with the fewest come first"
        held[f"seat-{number}"] = mine


def test_what_somebody_has_is_not_given_again() -> None:
    slots = slots_of(3, 2)
    more = assign(slots, {"0.0"}, "a", 5, 0, own=["0.0"])
    assert {slot.partition(".")[0] for slot in more} == {"1", "2"}
    assert assign(slots, {slot.id for slot in slots}, "a", None, 0) == []


def test_seats_see_things_in_an_order_of_their_own_which_is_always_the_same() -> None:
    slots = slots_of(12, 3)
    orders = [assign(slots, set(), seat, None, 7) for seat in ("a", "b", "c", "a")]
    assert orders[0] == orders[3]
    assert len({tuple(one) for one in orders}) == 3


@settings(max_examples=50)
@given(count=st.integers(0, 6), length=st.integers(0, 20), seat=st.text("abc-7", max_size=5))
def test_checks_lie_between_the_slots_and_never_come_first(count: int, length: int, seat: str) -> None:
    slots = [f"s{number}" for number in range(length)]
    shown, checks = with_checks(slots, seat, count, 3)
    assert [slot for slot in shown if slot not in checks] == slots
    assert len(shown) == len(slots) + len(checks)
    assert len(checks) == (count if slots else 0)
    assert not shown or shown[0] == "s0"
