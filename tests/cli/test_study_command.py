"""`affordance study`, as somebody types it: a link for people, a row in the report, files, and how it goes on."""

import csv
import json
import re
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from affordance.ledger import open_ledger
from errors import assert_user_error
from studio_world import Server
from study_crowd import served_study
from study_world import Taker, pairs_of

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("study")
    pairs_of(found / "pairs")
    pairs_of(found / "fewer", 2)
    return found


def options(folder: Path, name: str = "which") -> tuple[str, ...]:
    return (name, "--task", "behavior/choice", "--data", str(folder / "pairs"), "--db", str(folder / "it.db"))


def taker(link: str, name: str) -> Taker:
    """Somebody at the link."""
    server = Server(Path(), (), Path(), url=link.partition("/s/")[0])
    found = Taker(server, name)
    assert found.open(urlsplit(link).path).status == 200
    return found


def test_help_has_examples(here: Command) -> None:
    told = here("study", "create", "--help")
    assert told.returncode == 0
    for option in ("--per-item", "--attention-checks", "--consent"):
        assert option in told.stdout
    assert [line for line in told.stdout.splitlines() if line.strip().startswith("affordance study ")]


def test_people_are_a_row_of_the_report_and_the_study_goes_on(here: Command, folder: Path) -> None:
    with served_study(folder, *options(folder), "--per-item", "4") as link:
        assert urlsplit(link).hostname == "127.0.0.1"
        one = taker(link, "which")
        state = one.state()
        assert state["stage"] == "consent"
        assert state["texts"]["consent"]
        state = one.step("consent", {"agreed": True}).json
        assert (state["stage"], len(state["slots"])) == ("tutorial", 4)
        slots = one.step("taught").json["slots"]
        for slot in slots:
            assert one.answer(slot["id"], {"side": "first"}, state["code"]).status == 200
        assert one.step("finish").json["stage"] == "done"
        local = Taker(one.server, "which")
        assert local.open("/").status == 200, "whoever runs it is not a participant"
        assert local.state()["code"] != state["code"]
        command = f"affordance run behavior/choice --model study:which --ledger {folder / 'it.db'}"
        assert command in local.open("/studies/which").body.decode()
    told = (folder / "study-stderr.txt").read_text("utf-8").splitlines()
    for data in (
        ("which", "4 of 16", f"affordance report --run which --ledger {folder / 'it.db'}"),
        ("20", "--per-person"),
        ("--consent", "--no-consent"),
        ("--link-days",),
    ):
        assert len([line for line in told if all(one in line for one in data)]) == 1, data
    first = len(told)
    rows = json.loads(here("report", "--ledger", str(folder / "it.db"), "--format", "json").stdout)
    assert [(row["run"], row["model"], row["ended"]["answered"], row["complete"]) for row in rows] == [
        ("which", "study:which", 4, False)
    ]
    run = ("run", "behavior/choice", "--model", "study:which", "--ledger", str(folder / "it.db"), "--json", "--quiet")
    rows = json.loads(here(*run).stdout)
    assert [(row["run"], row["ended"]["answered"]) for row in rows] == [("which", 4)], "data and settings of the study"
    assert [row["run"] for row in json.loads(here(*run, "--seed", "0", "--trials", "2").stdout)] == ["which"]
    assert_user_error(here(*run, "--trials", "1"), "--trials 2")
    assert_user_error(here(*run, "--data", str(folder / "fewer")), "'pairs'")
    assert len(json.loads(here("report", "--ledger", str(folder / "it.db"), "--format", "json").stdout)) == 1

    with served_study(folder, "which", "--db", str(folder / "it.db"), "--link-days", "2") as again:
        assert again.partition("/s/")[2] != link.partition("/s/")[2]
        port = urlsplit(again).port
        back = Taker(Server(Path(), (), Path(), url=f"http://127.0.0.1:{port}"), "which", dict(one.cookies))
        assert back.state()["stage"] == "done"
        assert taker(again.replace(again.partition("/s/")[2], link.partition("/s/")[2]), "which").state(), "still good"
    told = (folder / "study-stderr.txt").read_text("utf-8").splitlines()[first:]
    (line,) = (line for line in told if "--link-days" in line)
    assert re.search(r"(?<![\d:-])1(?![\d:-])", line), "one earlier link still works"

    out = folder / "out"
    told = here("study", "which", "--db", str(folder / "it.db"), "--export", str(out))
    assert (told.returncode, told.stdout.strip()) == (0, str(out))
    with (out / "answers.csv").open(encoding="utf-8") as file:
        answers = list(csv.DictReader(file))
    assert len(answers) == 4
    assert {row["counted"] for row in answers} == {"yes"}
    about = json.loads((out / "study.json").read_text("utf-8"))
    assert about["answers"] == {"counted": 4, "left_out": 0}
    assert str(folder) not in json.dumps(about)
    assert here("study", "which", "--db", str(folder / "it.db"), "--export", str(out)).returncode == 2


def test_mistakes_are_one_line(here: Command, folder: Path) -> None:
    for more, data in (
        (("--per-item", "3"), ("--per-item", 2, "behavior/choice")),
        ((), ("--per-item",)),
        (("--per-item", "2", "--cues", "none"), ("--cues", "behavior/choice")),
        (("--per-item", "2", "--goal", "maybe"), ("--goal", "maybe", "shown", "hidden")),
        (("--per-item", "20000"), ("--per-item", 10000)),
        (("--per-item", "2", "--checks", "5"), ("--attention-checks", 4, 5)),
        (("--per-item", "2", "--host", "192.0.2.1"), ("192.0.2.1",)),
        (("--per-item", "2", "--consent", __file__, "--no-consent"), ("--consent", "--no-consent")),
        (("--per-item", "2", "--days", "91"), ("--link-days", 90)),
        (("--per-item", "2", "--task", "motion"), ("'motion'", "motion/")),
        (("--per-item", "2", "--completion", "ftp://x"), ("--completion-url", "https://")),
    ):
        told = here("study", *options(folder, "wrong"), *more, "--port", "0")
        assert_user_error(told, *data)
        *defaults, _ = told.stderr.splitlines()
        known = ("--per-person", "--consent", "the old name")
        assert all(any(word in one for word in known) for one in defaults), "defaults may be named before"
        told = here("study", "wrong", "--db", str(folder / "it.db"), "--export", "nowhere")
        assert_user_error(told)  # there is no such study: nothing is left behind


def test_names_and_places_that_cannot_be(here: Command, folder: Path, tmp_path: Path) -> None:
    for name, data in (("", ()), ("x" * 65, (64, 65)), ("a/b", ("a/b",))):
        told = here("study", *options(folder, name), "--per-item", "2", "--port", "0")
        assert_user_error(told, *data)
        assert len(told.stderr.splitlines()) == 1
    (tmp_path / "text.db").write_text("This is a text and no database, however long it may be.\n" * 20)
    told = here("study", "x", "--task", "behavior/choice", "--per-item", "2", "--db", "text.db", "--port", "0")
    assert (told.returncode, len(told.stderr.splitlines())) == (2, 1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        told = here("study", "x", "--task", "behavior/choice", "--per-item", "2", "--db", "new.db", "--port", port)
    assert_user_error(told, port, "--port")
    assert not (tmp_path / "new.db").exists()


def test_the_link_is_one_that_others_can_open(folder: Path) -> None:
    for more, host in ((("--name", "study.test"), "study.test"), (("--name", "a.test:9"), "a.test"), ((), "")):
        given = ("--per-item", "2", "--host", "0.0.0.0", "--no-consent", *more)
        with served_study(folder, *options(folder, "far"), *given) as link:
            assert (urlsplit(link).hostname, urlsplit(link).path[:3]) == (host or socket.gethostname().lower(), "/s/")
            assert (urlsplit(link).port == 9) is (host == "a.test")
            assert urlsplit(link).port not in (None, 80)


def test_what_is_not_there_and_what_has_changed(here: Command, folder: Path) -> None:
    db = ("--db", str(folder / "other.db"))
    about_run = ("-n", "3", "--port", "0")
    for more in ((), ("--export", "out"), ("--label", "run", *about_run), ("--errors", "run", *about_run)):
        told = here("study", "nothing", *db, *more)
        assert_user_error(told, folder / "other.db", "--task", "--per-item", "--ledger")
        assert not (folder / "other.db").exists(), "who only looks makes nothing"
    open_ledger(folder / "other.db").close()
    told = here("study", "nothing", *db)
    assert_user_error(told, "other.db", "--task")
    assert len(told.stderr.splitlines()) == 1
    with open_ledger(folder / "other.db", read_only=True) as ledger:
        assert not ledger.documents.latest(kind="project"), "nor anything in what is there"
    assert_user_error(here("study", "x", "--task", "motion/porpoise", "--per-item", "1", *db), "'motion/purpose'")
    pairs_of(folder / "moved", 3)
    moved = ("moved", "--task", "behavior/choice", "--data", str(folder / "moved"), *db, "--per-item", "2")
    with served_study(folder, *moved):
        pass
    assert_user_error(here("study", "moveed", *db), "'moveed'", "'moved'")
    items = folder / "moved" / "items.jsonl"
    items.write_text(items.read_text("utf-8").replace('"winner": 0', '"winner": 1'), "utf-8")
    for command in (moved, ("moved", *db)):
        told = here("study", *command)
        assert_user_error(told)
        assert len(told.stderr.splitlines()) == 1
        assert len({word.strip(';,"') for word in told.stderr.split() if len(word.strip(';,"')) == 32}) == 2
