"""Affordance measures whether AI models understand user interfaces.

    import affordance

    report = affordance.evaluate("motion/effect", ["baseline:pixels", "baseline:random"], limit=3)
    print(report)

What is here is loaded when it is first used. To add a task, dialect, format, strategy or model of one's own, see
`affordance.extending`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affordance.api.choosing import Chosen, choose
    from affordance.api.comparing import Comparison, compare
    from affordance.api.evaluating import estimate, evaluate
    from affordance.api.listing import list_tasks, load, providers
    from affordance.api.reports import Report, results
    from affordance.api.rescoring import rescore
    from affordance.core.errors import UserError

__version__ = "0.1.0"

__all__ = [
    "Chosen",
    "Comparison",
    "Report",
    "UserError",
    "__version__",
    "choose",
    "compare",
    "estimate",
    "evaluate",
    "list_tasks",
    "load",
    "providers",
    "rescore",
    "results",
]

_WHERE = {
    "Chosen": "affordance.api.choosing",
    "Comparison": "affordance.api.comparing",
    "Report": "affordance.api.reports",
    "UserError": "affordance.core.errors",
    "choose": "affordance.api.choosing",
    "compare": "affordance.api.comparing",
    "estimate": "affordance.api.evaluating",
    "evaluate": "affordance.api.evaluating",
    "list_tasks": "affordance.api.listing",
    "load": "affordance.api.listing",
    "providers": "affordance.api.listing",
    "rescore": "affordance.api.rescoring",
    "results": "affordance.api.reports",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_WHERE[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
