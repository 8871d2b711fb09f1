"""Datasets: our own folder format, read strictly, checked and written, and readers of published ones."""

from affordance.datasets.clips import AnimatedElement, CapturedMotion, Clip, DeclaredAnimation, Keyframe, UserInput
from affordance.datasets.collection import Collection, expand_spec, load_collection, merge_datasets, single_dataset
from affordance.datasets.folder import create_empty_folder, load_folder, new_dataset_folder, write_folder
from affordance.datasets.once import create_once
from affordance.datasets.parts import ItemLink, Page, Record
from affordance.datasets.reading import Dataset
from affordance.datasets.records import ITEM_TYPES, ChoiceOption, ChoiceQuestion, Header, Pair, Rationale
from affordance.datasets.screens import (
    AccessibleNode,
    ActionOutcome,
    BrowserDialog,
    Element,
    OutcomeStep,
    PageChange,
    Region,
    Screen,
    StateChange,
    Target,
)
from affordance.datasets.spec import load_dataset, spec_path
from affordance.datasets.undecided import UndecidedPairs, count_undecided

__all__ = [
    "ITEM_TYPES",
    "AccessibleNode",
    "ActionOutcome",
    "AnimatedElement",
    "BrowserDialog",
    "CapturedMotion",
    "ChoiceOption",
    "ChoiceQuestion",
    "Clip",
    "Collection",
    "Dataset",
    "DeclaredAnimation",
    "Element",
    "Header",
    "ItemLink",
    "Keyframe",
    "OutcomeStep",
    "Page",
    "PageChange",
    "Pair",
    "Rationale",
    "Record",
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
    "single_dataset",
    "spec_path",
    "write_folder",
]
