"""Coming in and going out, as people do it in a browser; and what administrators do with people and links."""

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from affordance.author.project import open_project
from affordance.studio.security import passwords
from affordance.studio.security.records import Kept, Person, draft, key_of
from affordance.studio.security.rights import Role
from studio_world import Server, make_project, serving

PASSWORD = "a few words that do"
OTHER = "quite another few words"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(make_project(tmp_path_factory.mktemp("people") / "shop", screens=1), "--sign-in") as server:
        yield server


@pytest.fixture(scope="module")
def root(browser: Browser, server: Server) -> Iterator[Page]:
    """The first administrator, who came by the link that was printed."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    join(page, server.link, "Root")
    yield page
    context.close()


@pytest.fixture
def person(browser: Browser) -> Iterator[Callable[[], Page]]:
    """Another browser for each that is asked for."""
    contexts: list[BrowserContext] = []

    def one() -> Page:
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}))
        return contexts[-1].new_page()

    yield one
    for context in contexts:
        context.close()


def join(page: Page, link: str, name: str, password: str = PASSWORD) -> None:
    page.goto(link)
    page.get_by_label("Name").fill(name)
    page.get_by_label("New password").fill(password)
    page.get_by_label("The same again").fill(password)
    with page.expect_navigation():
        page.get_by_role("button", name="Join").click()


def sign_in(page: Page, server: Server, name: str, password: str = PASSWORD, at: str = "/sign-in") -> None:
    page.goto(server.url + at)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def new_link(root: Page, server: Server, role: str = "annotator", note: str = "") -> str:
    root.goto(server.url + "/people")
    root.get_by_label("Role", exact=True).select_option(role)
    root.get_by_label("Note for yourself").fill(note)
    root.get_by_role("button", name="Make a link").click()
    return root.get_by_label("The link", exact=True).input_value()


def row(root: Page, name: str) -> str:
    return root.locator("#people tbody tr", has_text=name).inner_text()


def no_barriers(page: Page) -> None:
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert not found, [(one["id"], [node["target"] for node in one["nodes"]]) for one in found]


def test_somebody_is_invited_joins_and_comes_back(server: Server, root: Page, person: Callable[[], Page]) -> None:
    link = new_link(root, server, "annotator", "for Ann")
    expect(root.get_by_text("for Ann")).to_be_visible()
    ann = person()
    join(ann, link, "Ann Maier")
    assert ann.url == f"{server.url}/"
    ann.goto(server.url + "/account")
    expect(ann.get_by_role("heading", name="Ann Maier")).to_be_visible()
    expect(ann.get_by_text("Annotator", exact=True)).to_be_visible()
    with ann.expect_navigation():
        ann.get_by_role("button", name="Sign out", exact=True).click()
    assert ann.url == f"{server.url}/sign-in"
    sign_in(ann, server, "ann MAIER", at="/account")
    assert ann.url == f"{server.url}/account"
    root.goto(server.url + "/people")
    assert "annotator" in root.get_by_label("Role of Ann Maier", exact=True).input_value()
    expect(root.get_by_text("for Ann")).to_have_count(0)
    assert ann.goto(server.url + "/people").status == 403  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "password", "again", "said"),
    [
        ("Root", PASSWORD, PASSWORD, "The name 'Root' is taken"),
        ("ROOT", PASSWORD, PASSWORD, "is taken"),
        ("Bert", PASSWORD, OTHER, "The two passwords differ"),
        ("Bert's own long name", "bert's own LONG name", "bert's own LONG name", "is not the name"),
    ],
)
def test_what_is_wrong_is_said_and_can_be_put_right(
    server: Server, root: Page, person: Callable[[], Page], name: str, password: str, again: str, said: str
) -> None:
    link = new_link(root, server)
    page = person()
    page.goto(link)
    page.get_by_label("Name").fill(name)
    page.get_by_label("New password").fill(password)
    page.get_by_label("The same again").fill(again)
    with page.expect_navigation():
        page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_contain_text(said)
    assert page.get_by_label("Name").input_value() == name
    assert page.get_by_label("New password").input_value() == ""
    root.goto(server.url + "/people")
    root.get_by_role("button", name="Take back").first.click()


def test_a_link_that_does_not_work_says_why(server: Server, root: Page, person: Callable[[], Page]) -> None:
    page = person()
    assert page.goto(f"{server.url}/join/nothing").status == 404  # type: ignore[union-attr]
    expect(page.get_by_text("There is no such link")).to_be_visible()
    link = new_link(root, server)
    join(page, link, "Used Once")
    other = person()
    assert other.goto(link).status == 410  # type: ignore[union-attr]
    expect(other.get_by_text("This link was used before")).to_be_visible()
    link = new_link(root, server, note="to be taken back")
    other.goto(link)
    root.get_by_role("button", name="Take back the link for to be taken back").click()
    expect(root.get_by_text("to be taken back")).to_have_count(0)
    other.get_by_label("Name").fill("Too Late")
    other.get_by_label("New password").fill(PASSWORD)
    other.get_by_label("The same again").fill(PASSWORD)
    other.get_by_role("button", name="Join").click()
    expect(other.get_by_text("This link was taken back")).to_be_visible()


def test_a_participant_goes_straight_in_and_nowhere_else(
    server: Server, root: Page, person: Callable[[], Page]
) -> None:
    link = new_link(root, server, "participant")
    page = person()
    page.goto(link)
    page.reload()  # to look is not to use
    with page.expect_navigation():
        page.get_by_role("button", name="Begin").click()
    assert page.url == f"{server.url}/study"
    expect(page.get_by_role("heading")).to_have_text("There is nothing to do yet")
    for path in ("/boxes", "/people", "/api/screens"):
        assert page.goto(server.url + path).status == 403  # type: ignore[union-attr]
    assert person().goto(link).status == 410  # type: ignore[union-attr]


def test_a_new_password_ends_what_was_open(server: Server, root: Page, person: Callable[[], Page]) -> None:
    join(person(), new_link(root, server), "Cara")
    here, there = person(), person()
    for page in (here, there):
        sign_in(page, server, "Cara", at="/account")
    here.get_by_label("Current password").fill("not the right one")
    here.get_by_label("New password").fill(OTHER)
    here.get_by_label("The same again").fill(OTHER)
    here.get_by_role("button", name="Change the password").click()
    expect(here.get_by_role("alert")).to_contain_text("The current password is not right")
    here.get_by_label("Current password").fill(PASSWORD)
    here.get_by_label("New password").fill(OTHER)
    here.get_by_label("The same again").fill(OTHER)
    here.get_by_role("button", name="Change the password").click()
    expect(here.get_by_text("The password is changed")).to_be_visible()
    there.goto(server.url + "/account")
    assert there.url == f"{server.url}/sign-in?next=/account"
    sign_in(there, server, "Cara", OTHER, at="/account")
    with here.expect_navigation():
        here.get_by_role("button", name="Sign out everywhere").click()
    there.goto(server.url + "/account")
    assert "/sign-in" in there.url


def test_an_administrator_changes_roles_disables_and_resets(
    server: Server, root: Page, person: Callable[[], Page]
) -> None:
    page = person()
    join(page, new_link(root, server), "Dora")
    root.goto(server.url + "/people")
    root.get_by_label("Role of Dora", exact=True).select_option("reviewer")
    root.get_by_role("button", name="Change the role of Dora").click()
    expect(root.get_by_label("Role of Dora", exact=True)).to_have_value("reviewer")
    page.goto(server.url + "/account")
    assert "/sign-in" in page.url
    root.get_by_role("button", name="Disable Dora").click()
    expect(root.get_by_role("button", name="Enable Dora")).to_be_visible()
    assert "disabled" in row(root, "Dora")
    sign_in(page, server, "Dora")
    expect(page.get_by_role("alert")).to_contain_text("do not belong together")
    root.get_by_role("button", name="Enable Dora").click()
    root.get_by_role("button", name="Link for a new password for Dora").click()
    link = root.get_by_label("The link", exact=True).input_value()
    page.goto(link)
    expect(page.get_by_role("heading", name="A new password for Dora")).to_be_visible()
    page.get_by_label("New password").fill(OTHER)
    page.get_by_label("The same again").fill(OTHER)
    with page.expect_navigation():
        page.get_by_role("button", name="Change the password").click()
    assert page.url == f"{server.url}/"
    assert page.goto(server.url + "/account").status == 200  # type: ignore[union-attr]


def test_the_last_administrator_cannot_leave(server: Server, root: Page) -> None:
    root.goto(server.url + "/people")
    root.get_by_role("button", name="Disable Root").click()
    expect(root.get_by_role("alert")).to_contain_text("Root is the last administrator")
    root.get_by_label("Role of Root", exact=True).select_option("annotator")
    root.get_by_role("button", name="Change the role of Root").click()
    expect(root.get_by_role("alert")).to_contain_text("Root is the last administrator")


def test_a_new_link_is_copied_and_not_made_again_by_a_reload(server: Server, root: Page) -> None:
    link = new_link(root, server, note="once only")
    root.context.grant_permissions(["clipboard-read", "clipboard-write"])
    root.get_by_role("button", name="Copy").click()
    expect(root.get_by_role("button", name="Copied")).to_be_visible()
    assert root.evaluate("navigator.clipboard.readText()") == link
    root.reload()
    expect(root.get_by_text("once only")).to_have_count(1)
    assert link.rpartition("/")[2] not in root.content()


def test_who_follows_a_link_from_another_site_is_still_signed_in(
    server: Server, root: Page, person: Callable[[], Page]
) -> None:
    """Their cookie does not come with it at first."""
    other = root.context.new_page()
    elsewhere = f'<a href="{server.url}/account">to the studio</a>'
    other.route("http://other.test/", lambda route: route.fulfill(content_type="text/html", body=elsewhere))
    other.goto("http://other.test/")
    other.get_by_text("to the studio").click()
    expect(other.get_by_role("heading", name="Root")).to_be_visible()
    other.close()
    page = person()
    page.route("http://other.test/", lambda route: route.fulfill(content_type="text/html", body=elsewhere))
    page.goto("http://other.test/")
    page.get_by_text("to the studio").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_no_barriers(server: Server, root: Page) -> None:
    link = new_link(root, server)
    for address in ("", "/account", "/nothing", link):
        if address:
            root.goto(address if "://" in address else server.url + address)
        for scheme in ("light", "dark"):
            root.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            no_barriers(root)


def test_by_keyboard_alone(server: Server, root: Page, person: Callable[[], Page]) -> None:
    link = new_link(root, server)
    page = person()
    page.goto(link)
    for text in ("Keyboard Only", PASSWORD, PASSWORD):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url == f"{server.url}/"


def test_on_this_computer_alone_nobody_signs_in(tmp_path: Path, person: Callable[[], Page]) -> None:
    with serving(make_project(tmp_path / "own", screens=1), "--as", "Ada") as own:
        page = person()
        page.goto(own.url + "/account")
        expect(page.get_by_role("heading", name="Ada")).to_be_visible()
        expect(page.get_by_text("Nobody signs in here")).to_be_visible()
        page.goto(own.url + "/people")
        expect(page.get_by_text("Nobody has joined yet")).to_be_visible()
        page.get_by_role("button", name="Make a link").click()
        expect(page.get_by_label("The link", exact=True)).to_have_value(re.compile(r"/join/[\w-]{43}$"))
        no_barriers(page)
        assert page.goto(own.url + "/sign-in").url == f"{own.url}/"  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    try:
        subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("needs openssl")
    return certificate, key


def test_two_hundred_people_and_long_names(server: Server, root: Page) -> None:
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
        project.ledger.revise([draft(Kept.PERSON, key_of(one.name), one, "test", 0) for one in people])
    root.goto(server.url + "/people")
    assert root.title() == "People · Shop"
    root.get_by_label("Find people").fill("SOMEBODY 01")
    expect(root.locator("#found")).to_contain_text("12 of")
    expect(root.locator("#people tbody tr:visible")).to_have_count(12)
    root.get_by_label("Find people").fill("<script>")
    expect(root.locator("#people tbody tr:visible")).to_have_count(1)
    root.set_viewport_size({"width": 720, "height": 450})
    assert root.evaluate("document.documentElement.scrollWidth <= innerWidth")
    root.set_viewport_size({"width": 1440, "height": 900})


@pytest.fixture(scope="module")
def secure(certificate: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    project = make_project(tmp_path_factory.mktemp("secure") / "shop", screens=1)
    with serving(project, "--sign-in", "--certificate", str(certificate[0]), "--key", str(certificate[1])) as server:
        yield server


@pytest.fixture
def over_https(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(ignore_https_errors=True)
    yield context.new_page()
    context.close()


def test_cookies_under_https(secure: Server, over_https: Page) -> None:
    join(over_https, secure.link, "Root")
    assert over_https.goto(secure.url + "/account").status == 200  # type: ignore[union-attr]
    cookies = over_https.context.cookies()
    assert [one["name"].partition("-session")[0] for one in cookies] == ["__Host-studio"]
    assert all(one["secure"] and one["httpOnly"] and one["sameSite"] == "Strict" for one in cookies)


def test_too_many_wrong_passwords_have_to_wait(secure: Server, over_https: Page) -> None:
    for _ in range(5):
        sign_in(over_https, secure, "Nobody At All", "wrong wrong wrong")
        expect(over_https.get_by_role("alert")).to_contain_text("do not belong together")
    over_https.get_by_label("Password").fill("wrong again")
    with over_https.expect_response("**/sign-in") as answered:
        over_https.keyboard.press("Enter")
    assert answered.value.status == 429
    assert 0 < int(answered.value.headers["retry-after"]) <= 31
    expect(over_https.get_by_role("alert")).to_contain_text(re.compile(r"Wait \d+ seconds?, then try again"))
