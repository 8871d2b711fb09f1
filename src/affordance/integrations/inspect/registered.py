"""The entry point in environments that were installed before `registry` had its name."""

import affordance.integrations.inspect.registry  # noqa: F401
