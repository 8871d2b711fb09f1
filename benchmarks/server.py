"""The model of the benchmarks: a process that reads each request to its end and answers always the same.

Below `/v1` it answers a letter after 0.1 s; below `/after/SECONDS/v1` a paragraph that ends in a choice of two designs,
after as many seconds.
"""

import asyncio
import json
import sys

from aiohttp import web

LATENCY = 0.1  # seconds; what is asked of models takes time

ANSWER = (
    b'{"model": "bench", "choices": [{"index": 0, "message": {"role": "assistant", "content": "A\\nIt moves."},'
    b' "finish_reason": "stop"}], "usage": {"prompt_tokens": 1000, "completion_tokens": 10}}'
)
ARGUMENT = "The button stands apart from what is around it, and says in a word what happens when it is pressed. " * 6
CHOICE = ARGUMENT + "\nMore effective: First"
_CHOSEN = {"index": 0, "message": {"role": "assistant", "content": CHOICE}, "finish_reason": "stop"}
CHOSEN = json.dumps(
    {"model": "bench", "choices": [_CHOSEN], "usage": {"prompt_tokens": 2000, "completion_tokens": 150}}
).encode()


async def answer(request: web.Request) -> web.Response:
    return await _late(request, LATENCY, ANSWER)


async def choose(request: web.Request) -> web.Response:
    return await _late(request, float(request.match_info["seconds"]), CHOSEN)


async def _late(request: web.Request, seconds: float, body: bytes) -> web.Response:
    async for _ in request.content.iter_any():
        pass
    await asyncio.sleep(seconds)
    return web.Response(body=body, content_type="application/json")


async def serve() -> web.Application:
    app = web.Application(client_max_size=2**30)
    app.router.add_post("/v1/chat/completions", answer)
    app.router.add_post("/after/{seconds}/v1/chat/completions", choose)
    return app


if __name__ == "__main__":
    web.run_app(serve(), host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
