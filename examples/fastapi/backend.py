"""A backend of one's own: put a model in place of `answer`. `database` keeps the threads, `visitors` knows who asks."""

import asyncio
import json
import logging
import os
import re
import secrets
from pathlib import Path
from typing import AsyncIterator

from fastapi import Body, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from database import Database
from visitors import anonymous_in, forget_visitor, visitor_of

app = FastAPI()

# The sites that show the widget from here: ORIGINS=https://shop.example,https://www.shop.example
app.add_middleware(
    CORSMiddleware,
    allow_origins=[origin for origin in os.environ.get("ORIGINS", "").split(",") if origin],
    allow_credentials=True,
    allow_methods=["GET", "POST", "DELETE"],
    allow_headers=["accept", "authorization", "content-type"],
)

ID = r"[\x21-\x7e]{1,128}"
DONE = "data: [DONE]\n\n"
CODES = {401: "unauthorized", 404: "not_found", 405: "method_not_allowed", 409: "run_in_progress"}
database = Database()
running: set[str] = set()  # threads in which an answer is being written


@app.exception_handler(HTTPException)
@app.exception_handler(RequestValidationError)
async def refused(_: Request, error: Exception) -> JSONResponse:
    status = getattr(error, "status_code", 422)
    message = getattr(error, "detail", "The body must be a JSON object, sent as application/json.")
    return JSONResponse({"error": {"code": CODES.get(status, "unprocessable"), "message": message}}, status)


async def own_thread(thread_id: str, visitor: str = Depends(visitor_of)) -> str:
    """The id of the visitor's own thread. To everyone else it does not exist."""
    if not database.has(visitor, thread_id):
        raise HTTPException(404, "There is no such thread.")
    return thread_id


@app.get("/api/projects/{project_id}/config")
async def config(_: str = Depends(visitor_of)) -> dict:
    # Relative to this address. Without it the widget would send all other requests to the origin of its page.
    return {"apiBase": "./", "features": {"claim": True, "erase": True}}


@app.post("/api/debug/visitor/claim")
async def claim(request: Request, _: dict = Body(), visitor: str = Depends(visitor_of)) -> dict:
    """A visitor who signs in keeps what they asked before in this browser."""
    return {"threads": database.move(anonymous_in(request), visitor)}


@app.delete("/api/debug/visitor", status_code=204)
async def erase(request: Request, response: Response, visitor: str = Depends(visitor_of)) -> None:
    database.erase(visitor)
    forget_visitor(request, response)


@app.get("/api/debug/threads")
async def list_threads(visitor: str = Depends(visitor_of)) -> list:
    return database.threads(visitor)


@app.post("/api/debug/threads")
async def create_thread(_: dict = Body(), visitor: str = Depends(visitor_of)) -> dict:
    return database.create(visitor, secrets.token_hex(12))


@app.get("/api/debug/threads/{thread_id}/messages")
async def list_messages(thread: str = Depends(own_thread)) -> list:
    return database.messages(thread)


@app.post("/api/debug/threads/{thread_id}/rename")
async def rename(body: dict = Body(), thread: str = Depends(own_thread)) -> dict:
    match body.get("title"):
        case str(title) if title.strip() and len(title) <= 200:
            database.rename(thread, title)
            return {}
    raise HTTPException(422, "title must be a text of 1 to 200 characters.")


@app.post("/api/debug/threads/{thread_id}/archive")
async def archive(_: dict = Body(), thread: str = Depends(own_thread)) -> dict:
    database.delete(thread)
    return {}


@app.post("/api/debug/threads/{thread_id}/run/stream")
async def run(body: dict = Body(), thread: str = Depends(own_thread)) -> StreamingResponse:
    if thread in running:
        raise HTTPException(409, "An answer is being written in this thread.")
    messages = database.messages(thread)
    question = store_question(body, thread, messages)
    answers = [message for message in messages if message["parentId"] == question["id"]]
    # A repeated question is answered again only if the visitor wants another answer.
    again = body.get("trigger") == "regenerate-message"
    events = replay(answers[-1]) if answers and not again else stream(thread, branch_to(messages, question))
    # An iteration that has started is also ended, if the connection closes before the response.
    await events.__anext__()
    headers = {"cache-control": "no-store", "x-vercel-ai-ui-message-stream": "v1"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def store_question(body: dict, thread: str, messages: list) -> dict:
    """Its id names a question for good: one that comes again is not stored again."""
    known = {message["id"]: message for message in messages}
    match body.get("messages"):
        case [{"role": "user", "id": str(id), "content": str() | list() as content, **more}] if re.fullmatch(ID, id):
            parent = more.get("parentId", next(reversed(known), None))
        case _:
            raise HTTPException(422, "messages must hold one user message, with a content and an id of visible ASCII.")
    if parent is not None and parent not in known:
        raise HTTPException(422, "messages.0.parentId is the id of no message of this thread.")
    # Files come as data URLs, because this backend announces no uploads.
    question = {"id": id, "role": "user", "content": content, "parentId": parent}
    return known.get(id) or database.store(thread, {**question, "attachments": more.get("attachments") or []})


def event(type: str, **fields: object) -> str:
    return f"data: {json.dumps({'type': type, **fields}, ensure_ascii=False)}\n\n"


async def stream(thread: str, history: list) -> AsyncIterator[str]:
    """Writes an answer. What was written is stored, also when the visitor stops it, which closes the connection."""
    question = history[-1]
    message = {"id": f"a-{secrets.token_hex(6)}", "role": "assistant", "content": "", "parentId": question["id"]}
    status: dict = {"type": "incomplete", "reason": "cancelled"}
    running.add(thread)
    try:
        yield ""
        yield event("start", messageId=message["id"])
        async for delta in answer(history):
            message["content"] += delta
            yield event("text-delta", delta=delta)
        title = text_of(question)[:40] or "Файлы"
        if database.rename(thread, title, only_untitled=True):
            yield event("data-thread-title", title=title)
        status, end = {"type": "complete"}, event("finish")
    except Exception:
        logging.exception("No answer")
        status = {"type": "incomplete", "reason": "error", "error": "The model could not answer."}
        end = event("error", errorText=status["error"])
    finally:
        running.discard(thread)
        database.store(thread, {**message, "status": status})
    # A visitor who has read the end finds the answer stored.
    yield end + DONE


async def replay(message: dict) -> AsyncIterator[str]:
    yield ""
    yield event("start", messageId=message["id"]) + event("text-delta", delta=message["content"])
    yield event("finish") + DONE


def branch_to(messages: list, last: dict) -> list:
    """The conversation that ends with this message: before it its parent, and so on. Other branches are left out."""
    branch = [last]
    for message in reversed(messages):
        if message["id"] == branch[0]["parentId"]:
            branch.insert(0, message)
    return branch


def text_of(message: dict) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


async def answer(history: list) -> AsyncIterator[str]:
    """An answer without a model. A real backend gives it the history here, whose last message is the question."""
    question, files = text_of(history[-1]), len(history[-1]["attachments"])
    for word in re.split(r"(?<= )", f"Вы написали: **{question}**. Файлов: {files}. Отвечает ваш сервер на Python."):
        yield word
        await asyncio.sleep(0.05)


app.mount("/widget", StaticFiles(directory=Path(__file__).parent / "../../packages/widget/dist", check_dir=False))
app.mount("/", StaticFiles(directory=Path(__file__).parent / "page", html=True))
