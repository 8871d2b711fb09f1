"""What Inspect loads by our entry point: our tasks, and our models as a provider."""

import affordance.bridge.inspect.provider
import affordance.bridge.inspect.tasks  # noqa: F401
