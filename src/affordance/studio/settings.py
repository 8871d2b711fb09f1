"""How a studio is served."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it takes half a second to load, and most studios have no model
    from affordance.evaluation.execution_config import ExecutionConfig

EVERYWHERE = frozenset({"0.0.0.0", "::"})  # hosts that stand for all addresses of this computer
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8470
    names: tuple[str, ...] = ()  # host names by which it is reached besides, as behind a proxy
    local: str = "local"  # who somebody is where nobody signs in
    sign_in: bool = False
    https: bool = False
    model: str | None = None  # who tells regions anew; None: nobody
    budget: float | None = None  # dollars for it
    means: "ExecutionConfig | None" = None  # with what it is asked; the budget is not among them
    db: str | None = field(default=None, repr=False)  # address of the project's database, where it is in Postgres
    cache: Path = field(default_factory=lambda: Path(tempfile.gettempdir()) / "affordance")  # of pictures

    @property
    def open(self) -> bool:
        """Whether nobody has to sign in: only where nobody else can come."""
        return not self.sign_in and not self.names and self.host in LOOPBACK
