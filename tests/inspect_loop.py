"""A provider of Inspect's such as others write them, for the server on loopback: `loop/MODEL`. Those that come with
Inspect need packages of their own."""

import os
from typing import Any

import aiohttp
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ContentImage,
    ContentText,
    ContentVideo,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
    RetryDecision,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

KEY_VARIABLE = "LOOP_API_KEY"


class LoopError(Exception):
    """An answer that is not 200, as libraries raise them."""

    def __init__(self, status: int, body: Any, retry_after: str | None) -> None:
        error = body.get("error", {}) if isinstance(body, dict) else {}
        super().__init__(error.get("message") or str(body))
        self.status_code = status
        self.code = error.get("code")
        self.retry_after = float(retry_after) if retry_after else None


@modelapi(name="loop")
class LoopAPI(ModelAPI):
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008
    ) -> None:
        super().__init__(model_name, base_url, api_key, [KEY_VARIABLE], config)
        self.key = api_key or os.environ.get(KEY_VARIABLE)
        if not self.key:
            raise PrerequisiteError(
                "ERROR: Unable to initialise Loop client\n\n"
                f"No [bold][blue]{KEY_VARIABLE}[/blue][/bold] defined in the environment."
            )

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> tuple[ModelOutput | Exception, ModelCall]:
        messages = [{"role": one.role, "content": [_part(part) for part in _parts(one)]} for one in input]
        sampling = {"temperature": config.temperature, "max_tokens": config.max_tokens}
        body = {"model": self.model_name, "messages": messages} | {
            name: value for name, value in sampling.items() if value is not None
        }
        headers = {} if "@" in str(self.base_url) else {"Authorization": f"Bearer {self.key}"}
        call = ModelCall.create(body, None)
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self.base_url}/chat/completions", json=body, headers=headers) as answer,
        ):
            found = await answer.json() if answer.content_type == "application/json" else await answer.text()
            if answer.status != 200:
                return LoopError(answer.status, found, answer.headers.get("Retry-After")), call
        return _output(found), call

    def should_retry(self, ex: Exception) -> RetryDecision:
        if not isinstance(ex, LoopError):
            return RetryDecision.no()
        if ex.status_code == 429:
            return RetryDecision.rate_limit(ex.retry_after)
        return RetryDecision.transient(ex.retry_after) if ex.status_code >= 500 else RetryDecision.no()


def _parts(message: ChatMessage) -> list[Any]:
    return [ContentText(text=message.content)] if isinstance(message.content, str) else message.content


def _part(part: Any) -> dict[str, Any]:
    match part:
        case ContentText():
            return {"type": "text", "text": part.text}
        case ContentImage():
            return {"type": "image_url", "image_url": {"url": part.image}}
        case ContentVideo():
            return {"type": "video_url", "video_url": {"url": part.video}}
        case _:
            raise AssertionError(part)


def _output(found: dict[str, Any]) -> ModelOutput:
    choice = found["choices"][0]
    message = ChatMessageAssistant(content=choice["message"]["content"])
    reasons = {"length": "max_tokens", "content_filter": "content_filter"}
    reason = reasons.get(choice["finish_reason"], "stop")
    usage = found["usage"]
    return ModelOutput(
        model=found["model"],
        choices=[ChatCompletionChoice(message=message, stop_reason=reason)],
        usage=ModelUsage(input_tokens=usage["prompt_tokens"], output_tokens=usage["completion_tokens"]),
    )
