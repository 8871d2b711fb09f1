"""How far the people of a study agree: on what counts, by item."""

from collections.abc import Mapping

from affordance.core.json_text import Json
from affordance.ledger import Ledger
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import valid_answers
from affordance.stats import AnnotatorAgreement, annotator_agreement
from affordance.studio.studies.opened import Opened


def agreement(ledger: Ledger, opened: Opened) -> list[AnnotatorAgreement]:
    return annotator_agreement(values_of(opened, valid_answers(ledger, opened.study.name)))


def values_of(opened: Opened, answers: list[StudyAnswer]) -> dict[str, dict[str, Mapping[str, Json]]]:
    """By item and seat; what a study asks now and then again, it no longer has slots for, is left out."""
    found: dict[str, dict[str, Mapping[str, Json]]] = {}
    for one in answers:
        if (slot := opened.slots.get(one.slot)) is not None:
            found.setdefault(slot.item, {})[one.seat] = opened.source.values(one.given, slot)
    return found
