"""Datasets: our own folder format, read strictly, checked and written."""

from affordance.datasets.folder import Dataset, read_folder, write_folder
from affordance.datasets.records import KINDS, Clip, Header, Record
from affordance.datasets.spec import locate, read_dataset

__all__ = [
    "KINDS",
    "Clip",
    "Dataset",
    "Header",
    "Record",
    "locate",
    "read_dataset",
    "read_folder",
    "write_folder",
]
