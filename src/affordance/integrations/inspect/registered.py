"""What Inspect loads by our entry point: our tasks, and our models as a provider."""

import affordance.integrations.inspect.provider
import affordance.integrations.inspect.tasks  # noqa: F401
