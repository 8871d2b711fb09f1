"""Datasets: our own folder format, read strictly, checked and written, and readers of published ones."""

from affordance.datasets.clips import Animation, Clip, Input, Keyframe, Motion, Mover
from affordance.datasets.collection import Collection, alone, joined, members, read_collection
from affordance.datasets.folder import filling, new_folder, read_folder, write_folder
from affordance.datasets.once import made_once
from affordance.datasets.parts import Link, Page, Record
from affordance.datasets.reading import Dataset
from affordance.datasets.records import KINDS, ChoiceOption, ChoiceQuestion, Header, Pair, Rationale
from affordance.datasets.screens import (
    Change,
    Dialog,
    Element,
    Named,
    Outcome,
    Region,
    Screen,
    StateChange,
    Step,
    Target,
)
from affordance.datasets.spec import locate, read_dataset
from affordance.datasets.undecided import Undecided, undecided

__all__ = [
    "KINDS",
    "Animation",
    "Change",
    "ChoiceOption",
    "ChoiceQuestion",
    "Clip",
    "Collection",
    "Dataset",
    "Dialog",
    "Element",
    "Header",
    "Input",
    "Keyframe",
    "Link",
    "Motion",
    "Mover",
    "Named",
    "Outcome",
    "Page",
    "Pair",
    "Rationale",
    "Record",
    "Region",
    "Screen",
    "StateChange",
    "Step",
    "Target",
    "Undecided",
    "alone",
    "filling",
    "joined",
    "locate",
    "made_once",
    "members",
    "new_folder",
    "read_collection",
    "read_dataset",
    "read_folder",
    "undecided",
    "write_folder",
]
