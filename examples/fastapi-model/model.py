"""A model of one's own behind Nitka's server: OpenAI's chat completions, which know the visitor and the thread.

Put LangChain, LangGraph, LlamaIndex or your own code into `reply`.
"""

import asyncio
import json
import os
import re
import time
from typing import AsyncIterator

import jwt
from fastapi import Body, Depends, FastAPI, Header, HTTPException
from fastapi.responses import StreamingResponse

app = FastAPI()

# The project's secret, with which the server signs the visitor's identity.
SECRET = os.environ["CHAT_SECRET"]
# The provider's name in the server's configuration. A token for another service is refused.
AUDIENCE = "python"

# This service's memory of each thread. A graph's checkpoints use the thread's id as their key in the same way.
questions_of: dict[str, list[str]] = {}


def visitor_of(x_nitka_visitor: str = Header(), x_nitka_thread: str = Header()) -> dict:
    """The claims of the visitor, of whom `sub` is the id, and the thread's id."""
    try:
        visitor = jwt.decode(x_nitka_visitor, SECRET, algorithms=["HS256"], audience=AUDIENCE)
    except jwt.PyJWTError as error:
        raise HTTPException(401, f"X-Nitka-Visitor: {error}")
    if visitor["thread"] != x_nitka_thread:
        raise HTTPException(401, "X-Nitka-Thread is not the thread of X-Nitka-Visitor.")
    return visitor


@app.post("/v1/chat/completions")
async def complete(body: dict = Body(), visitor: dict = Depends(visitor_of)):
    if body.get("stream"):
        events = chunks(body["model"], reply(body["messages"], visitor))
        return StreamingResponse(events, media_type="text/event-stream")
    # Titles and suggestions are requested without streaming, and belong to no answer.
    choice = {"index": 0, "message": {"role": "assistant", "content": "Python отвечает"}, "finish_reason": "stop"}
    return {**head(body["model"], "chat.completion"), "choices": [choice]}


async def chunks(model: str, pieces: AsyncIterator[str]) -> AsyncIterator[str]:
    async for piece in pieces:
        yield chunk(model, {"content": piece}, None)
    yield chunk(model, {}, "stop") + "data: [DONE]\n\n"


def chunk(model: str, delta: dict, reason: str | None) -> str:
    choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
    return f"data: {json.dumps({**head(model, 'chat.completion.chunk'), 'choices': choices})}\n\n"


def head(model: str, kind: str) -> dict:
    return {"id": "chatcmpl-1", "object": kind, "created": int(time.time()), "model": model}


async def reply(messages: list, visitor: dict) -> AsyncIterator[str]:
    """An answer without a model. The messages are those of the shown branch, with the project's instructions first."""
    question = text_of(messages[-1])
    asked = questions_of.setdefault(visitor["thread"], [])
    asked.append(question)
    name = visitor.get("name", "гость" if visitor.get("anonymous") else visitor["sub"])
    for word in re.split(r"(?<= )", f"{name}, это вопрос {len(asked)}: **{question}**"):
        yield word
        await asyncio.sleep(0.02)


def text_of(message: dict) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
