"""Datasets: our own folder format, read strictly, checked and written, and readers of published ones."""

from affordance.core.files import create_once
from affordance.datasets.clips import AnimatedElement, CapturedMotion, Clip, DeclaredAnimation, Keyframe, UserInput
from affordance.datasets.dataset import Dataset, DatasetCollection, merge_datasets
from affordance.datasets.folder import ITEM_TYPES, create_empty_folder, load_folder, new_dataset_folder, write_folder
from affordance.datasets.items import CapturedPage, DatasetHeader, Item, ItemLink
from affordance.datasets.pairs import DesignPair, Rationale, UndecidedPairs, count_undecided
from affordance.datasets.screens import (
    AccessibleNode,
    ActionOutcome,
    BrowserDialog,
    ChoiceItem,
    ChoiceOption,
    Element,
    OutcomeStep,
    PageChange,
    Region,
    Screen,
    StateChange,
    Target,
)
from affordance.datasets.spec import expand_spec, load_collection, load_dataset, spec_path

__all__ = [
    "ITEM_TYPES",
    "AccessibleNode",
    "ActionOutcome",
    "AnimatedElement",
    "BrowserDialog",
    "CapturedMotion",
    "CapturedPage",
    "ChoiceItem",
    "ChoiceOption",
    "Clip",
    "Dataset",
    "DatasetCollection",
    "DatasetHeader",
    "DeclaredAnimation",
    "DesignPair",
    "Element",
    "Item",
    "ItemLink",
    "Keyframe",
    "OutcomeStep",
    "PageChange",
    "Rationale",
    "Region",
    "Screen",
    "StateChange",
    "Target",
    "UndecidedPairs",
    "UserInput",
    "count_undecided",
    "create_empty_folder",
    "create_once",
    "expand_spec",
    "load_collection",
    "load_dataset",
    "load_folder",
    "merge_datasets",
    "new_dataset_folder",
    "spec_path",
    "write_folder",
]
