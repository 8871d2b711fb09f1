"""The shell that every page has: head, navigation, and a place for its modules."""

from functools import cache

from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from affordance.author.records import Kind
from affordance.studio.context import Studio
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor

# Address, name, what somebody must be allowed to do to be shown the way there, and what the project must hold for it:
# one of these, or nothing.
_SCREENS = (Kind.SCREEN,)
WAYS: tuple[tuple[str, str, Right, tuple[Kind, ...]], ...] = (
    ("/", "Overview", Right.SEE, ()),
    ("/boxes", "Boxes", Right.SEE, _SCREENS),
    ("/validation", "Validation", Right.SEE, _SCREENS),
    ("/questions", "Questions", Right.SEE, _SCREENS),
    ("/clips", "Clips", Right.SEE, (Kind.CLIP,)),
    ("/pairs", "Pairs", Right.SEE, (Kind.PAIR,)),
    ("/cleaning", "Cleaning", Right.SEE, (Kind.PAIR,)),
    ("/splitting", "Splitting", Right.SEE, (Kind.PAIR,)),
    ("/study", "Your studies", Right.SEE, (Kind.STUDY,)),
    ("/studies", "Studies", Right.MANAGE_STUDIES, ()),
    ("/people", "People", Right.MANAGE, ()),
)


def page(name: str, studio: Studio, visitor: Visitor | None, status: int = 200, **values: object) -> HTMLResponse:
    """A page from `templates/NAME.html`; `visitor` is None where nobody has signed in. The value `script` is the
    page's module, below `static/js`."""
    ways = [] if visitor is None else _ways(studio, visitor)
    about = studio.project.about
    shown: dict[str, object] = {"project": about.name, "project_id": about.id}
    shown |= {"visitor": visitor, "ways": ways, "open": studio.settings.open, "script": ""}
    return HTMLResponse(_templates().get_template(f"{name}.html").render(shown | values), status)


def _ways(studio: Studio, visitor: Visitor) -> list[tuple[str, str]]:
    return [(href, title) for href, title, right, kinds in WAYS if visitor.may(right) and studio.holdings.offers(kinds)]


@cache
def _templates() -> Environment:
    loader = PackageLoader("affordance.studio", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
