"""The shell that every page has: head, navigation, and a place for its modules."""

from functools import cache

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from affordance.studio.context import Studio
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor

# Address, name, and what somebody must be allowed to do to be shown the way there.
WAYS = (
    ("/", "Overview", Right.SEE),
    ("/boxes", "Boxes", Right.SEE),
    ("/validation", "Validation", Right.SEE),
    ("/questions", "Questions", Right.SEE),
    ("/people", "People", Right.MANAGE),
)


def page(name: str, studio: Studio, visitor: Visitor | None, status: int = 200, **values: object) -> HTMLResponse:
    """A page from `templates/NAME.html`; `visitor` is None where nobody has signed in."""
    ways = [] if visitor is None else [(href, title) for href, title, right in WAYS if visitor.may(right)]
    about = studio.project.about
    shown: dict[str, object] = {"project": about.name, "project_id": about.id}
    shown |= {"visitor": visitor, "ways": ways, "open": studio.settings.open}
    return HTMLResponse(_templates().get_template(f"{name}.html").render(shown | values), status)


@cache
def _templates() -> Environment:
    loader = PackageLoader("affordance.studio", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
