"""Datasets: our own folder format, read strictly, checked and written."""

from affordance.datasets.folder import Dataset, read_folder, write_folder
from affordance.datasets.records import (
    KINDS,
    Change,
    Clip,
    Dialog,
    Element,
    Header,
    Link,
    Named,
    Outcome,
    Page,
    Record,
    Region,
    Screen,
    StateChange,
    Step,
)
from affordance.datasets.spec import locate, read_dataset

__all__ = [
    "KINDS",
    "Change",
    "Clip",
    "Dataset",
    "Dialog",
    "Element",
    "Header",
    "Link",
    "Named",
    "Outcome",
    "Page",
    "Record",
    "Region",
    "Screen",
    "StateChange",
    "Step",
    "locate",
    "read_dataset",
    "read_folder",
    "write_folder",
]
