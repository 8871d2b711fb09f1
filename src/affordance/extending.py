"""Former name of `affordance.plugins`; it will not exist in version 3."""

import warnings

from affordance.plugins import *  # noqa: F403
from affordance.plugins import __all__ as __all__

warnings.warn("affordance.extending is now affordance.plugins", DeprecationWarning, stacklevel=2)
