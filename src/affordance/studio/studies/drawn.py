"""The slots of studies whose items were drawn from a run."""

from affordance.author.study_records import Study
from affordance.core.digest import digest
from affordance.judging.sampling import shuffle_ids
from affordance.studio.studies.sheets import Slot

_LENGTH = 16  # of an id: enough for all slots of a study to differ


def slots_of(study: Study) -> list[Slot]:
    """Those of an item together, items mixed. An id tells nothing of the item."""
    return [
        Slot(digest("slot", study.name, item, turn)[:_LENGTH], item, turn)
        for item in shuffle_ids(study.drawn, study.seed)
        for turn in range(study.per_item)
    ]
