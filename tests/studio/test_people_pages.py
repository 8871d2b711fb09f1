"""Joining, signing in and out, and what administrators do with people and links. What needs no JavaScript is tested
without a browser."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from playwright.sync_api import Page as BrowserPage

from affordance.author.project import open_project
from affordance.studio.people import People
from affordance.studio.security import passwords
from affordance.studio.security.records import Kept, Person, draft, key_of
from affordance.studio.security.rights import Role
from errors import assert_carries
from form_client import CHEAP_PASSWORDS, Element, FormClient, Page
from studio_world import Server, faults, make_project, serving

PASSWORD = "a few words that do"
OTHER = "quite another few words"

Visit = Callable[[], FormClient]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = make_project(tmp_path_factory.mktemp("people") / "shop", screens=1, regions=2)
    with serving(folder, "--sign-in", limits=CHEAP_PASSWORDS) as server:
        yield server


@pytest.fixture
def visit(server: Server) -> Visit:
    return lambda: FormClient(server.url)


@pytest.fixture(scope="module")
def root(server: Server) -> FormClient:
    """The first administrator, who came by the link that was printed."""
    client = FormClient(server.url)
    assert join(client, server.link, "Root").path == "/"
    return client


def join(client: FormClient, link: str, name: str, password: str = PASSWORD, again: str | None = None) -> Page:
    typed = {"name": name, "password": password, "again": password if again is None else again}
    return client.act(client.open(link), "join", **typed)


def sign_in(client: FormClient, name: str, password: str = PASSWORD, at: str = "/sign-in") -> Page:
    return client.act(client.open(at), "sign-in", name=name, password=password)


def new_link(root: FormClient, role: str = "annotator", note: str = "") -> str:
    made = root.act(root.open("/people"), "invite", role=role, note=note)
    assert made.status == 200
    return made.one(id="link")["value"]


def row(page: Page, name: str) -> Element:
    return page.one("tr", data_name=key_of(name))


def names(server: Server) -> set[str]:
    with open_project(server.project, read_only=True) as project:
        return {one.person.name for one in People(project.ledger).all()}


def test_a_person_is_invited_joins_and_comes_back(root: FormClient, visit: Visit) -> None:
    link = new_link(root, "annotator", "for Ann")
    assert root.open("/people").has("tr", data_note="for Ann")
    ann = visit()
    assert join(ann, link, "Ann Maier").path == "/"
    account = ann.open("/account")
    assert account.one("h1").text == "Ann Maier"
    assert account.one(id="own-role")["data-role"] == "annotator"
    out = ann.act(account, "sign-out")
    assert (out.path, ann.open("/account").path) == ("/sign-in", "/sign-in?next=/account")
    assert sign_in(ann, "ann MAIER", at="/account").path == "/account"
    page = root.open("/people")
    assert [one.text for one in row(page, "Ann Maier").all("option", selected="")] == ["annotator"]
    assert not page.has("tr", data_note="for Ann")
    assert ann.open("/people").status == 403


def test_a_form_with_a_mistake_is_shown_again_and_nobody_joins(server: Server, root: FormClient, visit: Visit) -> None:
    link = new_link(root)
    before = names(server)
    for name, password, again, data in (
        ("Root", PASSWORD, PASSWORD, "Root"),
        ("ROOT", PASSWORD, PASSWORD, "ROOT"),
        ("Bert", PASSWORD, OTHER, ""),
        ("Bert's own long name", "bert's own LONG name", "bert's own LONG name", ""),
        ("Bert", "x" * 11, "x" * 11, "11"),
    ):
        page = join(visit(), link, name, password, again)
        assert page.status == 422
        assert_carries(page.error, data)
        assert page.one("input", id="name")["value"] == name
        assert "value" not in page.one("input", id="password").attributes
        assert password not in page.html
    assert names(server) == before
    assert join(visit(), link, "Bert").path == "/"


def test_a_link_that_does_not_work_has_its_reason(root: FormClient, visit: Visit) -> None:
    unknown = visit().open("/join/nothing")
    assert (unknown.status, unknown.reason) == (404, "unknown")
    link = new_link(root)
    join(visit(), link, "Used Once")
    used = visit().open(link)
    assert (used.status, used.reason) == (410, "used")
    link = new_link(root, note="to be revoked")
    late = visit()
    shown = late.open(link)
    page = root.open("/people")
    page = root.act(page, "revoke", page.one("tr", data_note="to be revoked"))
    assert not page.has("tr", data_note="to be revoked")
    revoked = late.act(shown, "join", name="Too Late", password=PASSWORD, again=PASSWORD)
    assert (revoked.status, revoked.reason) == (410, "revoked")


def test_a_participant_needs_no_account_and_sees_only_studies(root: FormClient, visit: Visit) -> None:
    link = new_link(root, "participant")
    client = visit()
    for _ in range(2):  # opening the link does not use it
        page = client.open(link)
    assert client.act(page, "join").path == "/study"
    for path in ("/boxes", "/people", "/api/screens"):
        assert client.open(path).status == 403
    assert visit().open(link).status == 410


def test_a_new_password_ends_other_sessions(root: FormClient, visit: Visit) -> None:
    join(visit(), new_link(root), "Cara")
    here, there = visit(), visit()
    for client in (here, there):
        assert sign_in(client, "Cara", at="/account").path == "/account"
    account = here.open("/account")
    wrong = here.act(account, "change-password", old="not the right one", password=OTHER, again=OTHER)
    assert wrong.status == 422
    assert wrong.error
    assert here.act(account, "change-password", old=PASSWORD, password=OTHER, again=PASSWORD).status == 422
    assert there.open("/account").path == "/account"
    done = here.act(account, "change-password", old=PASSWORD, password=OTHER, again=OTHER)
    assert done.status == 200
    assert done.one(id="changed").text
    assert there.open("/account").path == "/sign-in?next=/account"
    assert sign_in(there, "Cara").status == 401
    assert sign_in(there, "Cara", OTHER, at="/account").path == "/account"
    here.act(here.open("/account"), "sign-out-everywhere")
    for client in (here, there):
        assert client.open("/account").path == "/sign-in?next=/account"


def test_an_administrator_changes_roles_disables_and_resets(root: FormClient, visit: Visit) -> None:
    dora = visit()
    join(dora, new_link(root), "Dora")
    page = root.open("/people")
    page = root.act(page, "change-role", row(page, "Dora"), role="reviewer")
    assert [one.text for one in row(page, "Dora").all("option", selected="")] == ["reviewer"]
    assert dora.open("/account").path == "/sign-in?next=/account"
    page = root.act(page, "disable", row(page, "Dora"))
    assert row(page, "Dora")["data-state"] == "disabled"
    refused = sign_in(dora, "Dora")
    assert refused.status == 401
    assert refused.error
    page = root.act(page, "enable", row(page, "Dora"))
    assert row(page, "Dora")["data-state"] == "active"
    link = root.act(page, "reset-password", row(page, "Dora")).one(id="link")["value"]
    shown = dora.open(link)
    assert shown.one("input", name="username")["value"] == "Dora"
    assert not shown.has("input", name="name")
    assert dora.act(shown, "join", password=OTHER, again=OTHER).path == "/"
    account = dora.open("/account")
    assert (account.status, account.one(id="own-role")["data-role"]) == (200, "reviewer")


def test_the_last_administrator_stays_one(root: FormClient) -> None:
    page = root.open("/people")
    for action, fields in (("disable", {}), ("change-role", {"role": "annotator"})):
        refused = root.act(page, action, row(page, "Root"), **fields)
        assert refused.status == 422
        assert_carries(refused.error, "Root")
        assert row(refused, "Root")["data-state"] == "active"
        assert root.open("/people").status == 200


def test_on_this_computer_alone_nobody_signs_in(tmp_path: Path) -> None:
    with serving(make_project(tmp_path / "own", screens=1, regions=2), "--as", "Ada") as own:
        client = FormClient(own.url)
        account = client.open("/account")
        assert account.one("h1").text == "Ada"
        assert account.has(id="no-sign-in")
        assert not account.has("input", type="password")
        page = client.open("/people")
        assert page.has(id="no-people")
        link = client.act(page, "invite").one(id="link")["value"]
        assert link.startswith(f"{own.url}/join/")
        assert len(link.rpartition("/")[2]) == 43
        assert client.open("/sign-in").path == "/"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the program openssl to make a certificate")
def test_cookies_under_https_and_too_many_wrong_passwords(tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=x"]
    command = ["openssl", "req", "-x509", *curve, "-keyout", key, "-out", certificate]
    subprocess.run(command, check=True, capture_output=True)
    project = make_project(tmp_path / "shop", screens=1, regions=2)
    options = ("--sign-in", "--certificate", str(certificate), "--key", str(key))
    with serving(project, *options, limits=CHEAP_PASSWORDS) as server:
        client = FormClient(server.url)
        join(client, server.link, "Root")
        assert client.open("/account").status == 200
        assert [one.partition("-session")[0] for one in client.cookies] == ["__Host-studio"]
        for cookie in client.set_cookies:
            attributes = {one.strip().lower().partition("=")[0] for one in cookie.split(";")[1:]}
            assert {"secure", "httponly", "path"} <= attributes
            assert "domain" not in attributes
            assert "samesite=strict" in cookie.lower()
        for _ in range(5):
            assert sign_in(FormClient(server.url), "Root", "wrong wrong wrong").status == 401
        waiting = sign_in(FormClient(server.url), "Root")
        assert waiting.status == 429
        assert 0 < int(waiting.headers["retry-after"]) <= 31
        assert any(part.isdigit() for part in waiting.error.split())


# What only a browser can tell.


@pytest.fixture
def page(context: BrowserContext, server: Server, root: FormClient) -> Iterator[BrowserPage]:
    """A page of the administrator."""
    root.lend(context)
    wrong = faults(context)
    yield context.new_page()
    assert wrong == []


def test_a_person_joins_by_keyboard_alone(server: Server, root: FormClient, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(new_link(root))
    for text in ("Keyboard Only", PASSWORD, PASSWORD):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url == f"{server.url}/"


def test_a_person_who_follows_a_link_from_another_site_stays_signed_in(
    server: Server, page: BrowserPage, browser: Browser
) -> None:
    """Their cookie does not come with the first request."""
    guest = browser.new_page()
    elsewhere = f'<a href="{server.url}/account">link</a>'
    for one, path in ((page, "/account"), (guest, "/sign-in?next=/account")):
        one.route("http://other.test/", lambda route: route.fulfill(content_type="text/html", body=elsewhere))
        one.goto("http://other.test/")
        one.locator("a").click()
        one.wait_for_url(server.url + path)
    guest.close()


def test_a_new_link_is_copied_and_a_reload_makes_no_other(server: Server, root: FormClient, page: BrowserPage) -> None:
    page.goto(f"{server.url}/people")
    page.locator("#note").fill("once only")
    page.locator("[data-action=invite]").click()
    link = page.locator("#link").input_value()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#copy").click()
    expect(page.locator("#copy")).to_have_attribute("data-state", "copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.reload()
    expect(page.locator("tr[data-note='once only']")).to_have_count(1)
    assert link.rpartition("/")[2] not in page.content()


def test_people_are_found_among_many_and_long_names_fit(server: Server, page: BrowserPage) -> None:
    kept = passwords.hashed(PASSWORD)
    names = [f"Somebody {number:03}" for number in range(195)]
    names += [
        "W" * 64,
        "Mrs " + "wolfeschlegel" * 4,
        "李小龍",
        "Zoë <script>document.title='run'</script>",
        "a" * 30 + " b",
    ]
    people = [Person(name=name, role=Role.ANNOTATOR, password=kept) for name in names]
    with open_project(server.project) as project:
        project.ledger.documents.write([draft(Kept.PERSON, key_of(one.name), one, "test", 0) for one in people])
    page.set_viewport_size({"width": 720, "height": 450})
    page.goto(f"{server.url}/people")
    rows = page.locator("#people tbody tr:visible")
    assert "run" not in page.title().split()
    page.locator("#find").fill("SOMEBODY 01")
    expect(page.locator("#found")).to_have_attribute("data-count", "12")
    expect(page.locator("#found")).to_have_text(re.compile(r"^12\D"))
    expect(rows).to_have_count(12)
    page.locator("#find").fill("<script>")
    expect(rows).to_have_count(1)
    page.locator("#find").fill("")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
