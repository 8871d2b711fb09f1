"""What readers and checks make of published files."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from affordance.datasets import ChoiceItem, Clip, DesignPair, Screen, load_dataset
from affordance.datasets.check import check_dataset
from affordance.datasets.dataset import Severity
from affordance.datasets.published.wiserui import RATIONALES_NAMING_A_SIDE
from affordance.datasets.taxonomies import UX_LAWS, element_group, property_group
from cases import numbers_in

Sample = Callable[[str], Path]


def test_the_record_of_animint(sample: Sample) -> None:
    (clip,) = load_dataset(f"animint:{sample('animint-sample')}").items
    record = json.loads((sample("animint-sample") / "record.json").read_text(encoding="utf-8"))[0]
    assert isinstance(clip, Clip)
    assert (clip.id, clip.purpose, clip.end_frame) == ("000062_000000", "Transition", 82)
    assert clip.effect_responses == record["effects_human_responses"]
    assert clip.meaning_responses == record["meaning_human_responses"]
    assert list(clip.regions[0].xyxy) == record["ROI"][0]["box"]


def test_the_screens_of_osworld_g(sample: Sample) -> None:
    dataset = load_dataset(f"osworld-g:{sample('osworld-g-sample')}")
    targets = [target for item in dataset.items if isinstance(item, Screen) for target in item.targets]
    assert (len(dataset.items), len(targets), len(dataset.missing_media)) == (14, 34, 0)
    assert [sum(bool(t.polygon) for t in targets), sum(t.absent for t in targets)] == [7, 4]


def test_the_questions_of_autogui(sample: Sample) -> None:
    dataset = load_dataset(f"autogui-v2:{sample('autogui-v2-sample')}")
    assert (len(dataset.items), len(dataset.missing_media)) == (36, 24)
    assert sum(item.multiple for item in dataset.items if isinstance(item, ChoiceItem)) == 12


def test_what_a_check_finds_in_wiserui(sample: Sample) -> None:
    findings = check_dataset(f"wiserui:{sample('wiserui')}").issues
    warnings = [str(one) for one in findings if one.severity is Severity.WARNING]
    text = "\n".join(warnings)
    assert [numbers_in(one) for one in warnings if numbers_in(one)[:1] == [300]] == [], "the set is complete"
    assert numbers_in(warnings[0])[:6] == [73, 62, 103, 104, 106, 107]
    assert "'103'" in text
    assert "109/111, 157/158/159, 189/190, 269/270, 292/293/294, 295/296" in text
    (sides,) = [one for one in warnings if "31 'right version'" in one]
    assert numbers_in(sides)[:3] == [34, 31, 3]
    repeated = [one for one in warnings if any(law.name in one for law in UX_LAWS)]
    assert [one.split("'")[1] for one in repeated] == ["105", "212"]
    assert sum(len(places) for places in RATIONALES_NAMING_A_SIDE.values()) == 34


def test_the_pairs_of_wiserui(sample: Sample) -> None:
    found = [pair for pair in load_dataset(f"wiserui:{sample('wiserui')}").items if isinstance(pair, DesignPair)]
    assert Counter(element_group(pair.changes) for pair in found).most_common() == [
        ("Interactive Control-only", 100),
        ("Content & State Display-only", 79),
        ("Mixed", 72),
        ("Container & Layout Structure-only", 49),
    ]
    assert sorted(Counter(property_group(pair.changes) for pair in found).values()) == [13, 23, 48, 87, 129]
