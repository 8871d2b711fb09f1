"""Who is asked what: balanced over items at every moment, and nobody is asked about an item twice."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from affordance.core.digest import digest, seeded_random
from affordance.studio.studies.sheets import Slot

CHECK = "check-"  # how the slots of attention checks begin; no other does


def assign(
    slots: Sequence[Slot], taken: Collection[str], seat: str, count: int | None, seed: int, own: Collection[str] = ()
) -> list[str]:
    """Slots for a seat, at most `count` where that is given. `taken` are those that somebody holds; items of `own`
    slots are not given again. Those with the fewest people come first, so the numbers of people at two items never
    differ by more than one while nobody leaves; who is next among equals, and in which order they are shown, depends on
    seed and seat. Of an item the free slot with the lowest turn is given."""
    by_item: dict[str, list[Slot]] = {}
    for slot in slots:
        by_item.setdefault(slot.item, []).append(slot)
    held = {slot.item for slot in slots if slot.id in own}
    people = Counter(slot.item for slot in slots if slot.id in taken)
    free = {
        item: min((slot for slot in of_item if slot.id not in taken), key=lambda slot: slot.turn)
        for item, of_item in by_item.items()
        if item not in held and people[item] < len(of_item)
    }
    chosen = sorted(free, key=lambda item: (people[item], digest("turn", seed, seat, item)))[:count]
    return sorted((free[item].id for item in chosen), key=lambda slot: digest("order", seed, seat, slot))


def with_checks(slots: Sequence[str], seat: str, count: int, seed: int) -> tuple[list[str], list[str]]:
    """The slots with attention checks between them, never as the first, and the checks."""
    if not slots:
        return [], []
    checks = [f"{CHECK}{number}" for number in range(1, count + 1)]
    chance = seeded_random("checks", seed, seat)
    places = sorted(chance.choices(range(1, len(slots) + 1), k=count))
    found = list(slots)
    for passed, (place, check) in enumerate(zip(places, checks, strict=True)):
        found.insert(place + passed, check)
    return found, checks


def spread(slots: Iterable[Slot], held: Mapping[str, Iterable[str]]) -> Counter[str]:
    """How many people hold a slot of each item, given the slots of each seat; items that nobody has are counted too."""
    items = {slot.id: slot.item for slot in slots}
    found: Counter[str] = Counter(dict.fromkeys(items.values(), 0))
    found.update(items[one] for of_seat in held.values() for one in of_seat if one in items)
    return found
