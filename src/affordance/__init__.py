"""Affordance evaluates how well vision-language models understand user interfaces.

    import affordance

    results = affordance.run("motion/effect", ["baseline:pixels", "baseline:random"], limit=3)
    print(results)

Public names are loaded when they are first used. To add a task, dialect, format, strategy or model, see
`affordance.plugins`.
"""

# ruff: noqa: F401  # type checkers see the names that are loaded on use

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affordance.api import (
        choose,
        compare,
        estimate,
        list_models,
        list_tasks,
        load_dataset,
        open_results,
        rescore,
        run,
    )
    from affordance.core.errors import AffordanceError, UserError
    from affordance.evaluation.estimate import CostEstimate
    from affordance.report.python_results import Comparison, DesignChoice, Results, Sample

__version__ = "0.1.0"

_MODULES = {
    "api": (
        *("run", "estimate", "rescore", "open_results", "compare", "choose"),
        *("load_dataset", "list_tasks", "list_models"),
    ),
    "core.errors": ("AffordanceError", "UserError"),
    "evaluation.estimate": ("CostEstimate",),
    "report.python_results": ("Comparison", "DesignChoice", "Results", "Sample"),
}
_PLACES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}
_FORMER_NAMES = {
    "evaluate": "run",
    "results": "open_results",
    "load": "load_dataset",
    "providers": "list_models",
    "Report": "Results",
    "Chosen": "DesignChoice",
}

__all__ = [*_PLACES, "__version__"]  # noqa: PLE0604  # names of a dictionary


def __getattr__(name: str) -> Any:
    if name in _FORMER_NAMES:
        import warnings

        present = _FORMER_NAMES[name]
        warnings.warn(f"affordance.{name} is now affordance.{present}", DeprecationWarning, stacklevel=2)
        return getattr(import_module(_PLACES[present]), present)
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_PLACES[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
