"""The model of the client benchmark: a process that reads each request to its end and answers the same letter."""

import asyncio
import sys

from aiohttp import web

LATENCY = 0.1  # seconds; what is asked of models takes time

ANSWER = (
    b'{"model": "bench", "choices": [{"index": 0, "message": {"role": "assistant", "content": "A\\nIt moves."},'
    b' "finish_reason": "stop"}], "usage": {"prompt_tokens": 1000, "completion_tokens": 10}}'
)


async def answer(request: web.Request) -> web.Response:
    async for _ in request.content.iter_any():
        pass
    await asyncio.sleep(LATENCY)
    return web.Response(body=ANSWER, content_type="application/json")


async def serve() -> web.Application:
    app = web.Application(client_max_size=2**30)
    app.router.add_post("/v1/chat/completions", answer)
    return app


if __name__ == "__main__":
    web.run_app(serve(), host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
