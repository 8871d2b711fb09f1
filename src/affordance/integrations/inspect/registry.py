"""The entry point of Inspect: registers Affordance's tasks, and its models as a provider."""

import affordance.integrations.inspect.provider
import affordance.integrations.inspect.tasks  # noqa: F401
