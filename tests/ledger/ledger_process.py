"""What other processes do to a ledger in the tests."""

import threading
from multiprocessing.connection import Connection

from ledger_samples import RIGHT, a_question, a_reply, a_run, an_ask, an_attempt

from affordance.ledger import RunRecord, open_ledger

PLANNED = 40  # attempts in one record
TOGETHER = 5  # replies before their ids are waited for
PATIENCE = 240.0  # seconds


def write(where: str, name: str, count: int, channel: Connection) -> None:
    """Writes to a ledger until it has added `count` replies. Sends the ids of replies after their commit."""
    with open_ledger(where, retry_seconds=PATIENCE) as ledger:
        run = ledger.begin_run(a_run(name))
        question = a_question()
        for start in range(0, count, TOGETHER):
            trials = range(start * PLANNED, (start + 1) * PLANNED)
            ledger.add_attempts([(an_attempt(run, question, trial=trial), "effect", question) for trial in trials])
            replies = [
                ledger.add_response(f"{name}-{number}", (0, 0, 0), an_ask(f"{number}"), a_reply(), run=run.id)
                for number in range(start, start + TOGETHER)
            ]
            ledger.add_verdict(f"{name}-{start}", RIGHT)
            channel.send([reply.result() for reply in replies])


def open_and_close(where: str) -> None:
    open_ledger(where, retry_seconds=PATIENCE).close()


def hold(where: str, run: RunRecord, model: str, channel: Connection) -> None:
    """Holds a lease until it is killed."""
    with open_ledger(where, retry_seconds=PATIENCE) as ledger, ledger.lease(run, [model]):
        channel.send(True)
        threading.Event().wait()
