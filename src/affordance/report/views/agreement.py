"""Agreement of the participants of human studies."""

from collections.abc import Sequence

from affordance.core.formatting import Unit
from affordance.core.table import Column, Table
from affordance.report.result_row import ResultRow

_COLUMNS = (
    Column("model"), Column("alpha", unit=Unit.RATIO), Column("kappa", unit=Unit.RATIO),
    Column("kind", "kind of kappa"), Column("iou", "mean IoU", Unit.RATIO), Column("items", unit=Unit.COUNT),
)  # fmt: skip


def agreement_table(group: Sequence[ResultRow]) -> Table | None:
    """Agreement by row; None without a study."""
    rows = [(row.label, one.alpha, one.kappa, one.kappa_of, one.iou, one.items) for row in group for one in row.people]
    if not rows:
        return None
    note = (
        "Over items that at least two people answered. Krippendorff's alpha is 1 for full agreement and 0 for "
        "agreement by chance. Kappa needs the same number of people for every item."
    )
    return Table.of("people-agreement", "Agreement of participants", _COLUMNS, rows, [note], detail=True)
