"""A backend of one's own, in memory: put a database in place of `threads_of`, and a model in place of `answer`."""

import asyncio
import json
import logging
import os
import re
import secrets
from datetime import datetime, timezone
from pathlib import Path
from typing import AsyncIterator

from fastapi import Body, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

app = FastAPI()

# The sites that show the widget from here: ORIGINS=https://shop.example,https://www.shop.example
app.add_middleware(
    CORSMiddleware,
    allow_origins=[origin for origin in os.environ.get("ORIGINS", "").split(",") if origin],
    allow_credentials=True,
    allow_methods=["GET", "POST"],
    allow_headers=["accept", "authorization", "content-type"],
)

ID = r"[\x21-\x7e]{1,128}"
DONE = "data: [DONE]\n\n"
threads_of: dict[str, dict[str, dict]] = {}  # of each visitor, by their ids


def now() -> str:
    return datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")


@app.exception_handler(HTTPException)
@app.exception_handler(RequestValidationError)
async def refused(_: Request, error: Exception) -> JSONResponse:
    status = getattr(error, "status_code", 422)
    code = {404: "not_found", 405: "method_not_allowed", 409: "run_in_progress"}.get(status, "unprocessable")
    message = getattr(error, "detail", "The body must be a JSON object, sent as application/json.")
    return JSONResponse({"error": {"code": code, "message": message}}, status)


def visitor_of(request: Request, response: Response) -> str:
    """Who asks, by a cookie. It comes with the config, which is the widget's first request."""
    if re.fullmatch(r"[\w-]{32}", request.cookies.get("visitor", "")):
        return request.cookies["visitor"]
    visitor = secrets.token_urlsafe(24)
    # A page of another site gets the cookie back over HTTPS alone.
    site = "SameSite=None; Secure; Partitioned" if request.url.scheme == "https" else "SameSite=Lax"
    response.headers.append("set-cookie", f"visitor={visitor}; Path=/; HttpOnly; Max-Age=31536000; {site}")
    return visitor


def thread_of(thread_id: str, visitor: str = Depends(visitor_of)) -> dict:
    """The visitor's own thread. To everyone else it does not exist."""
    if thread_id not in threads_of.get(visitor, {}):
        raise HTTPException(404, "There is no such thread.")
    return threads_of[visitor][thread_id]


def listed(thread: dict) -> dict:
    return {key: thread[key] for key in ("threadId", "title", "updatedAt")}


@app.get("/api/projects/{project_id}/config")
async def config(_: str = Depends(visitor_of)) -> dict:
    # Relative to this address. Without it the widget would send all other requests to the origin of its page.
    return {"apiBase": "./"}


@app.get("/api/debug/threads")
async def list_threads(visitor: str = Depends(visitor_of)) -> list:
    threads = map(listed, threads_of.get(visitor, {}).values())
    return sorted(threads, key=lambda thread: thread["updatedAt"], reverse=True)


@app.post("/api/debug/threads")
async def create_thread(_: dict = Body(), visitor: str = Depends(visitor_of)) -> dict:
    thread = {"threadId": secrets.token_hex(12), "title": "", "updatedAt": now(), "messages": [], "running": False}
    threads_of.setdefault(visitor, {})[thread["threadId"]] = thread
    return listed(thread)


@app.get("/api/debug/threads/{thread_id}/messages")
async def list_messages(thread: dict = Depends(thread_of)) -> list:
    return thread["messages"]


@app.post("/api/debug/threads/{thread_id}/rename")
async def rename(body: dict = Body(), thread: dict = Depends(thread_of)) -> dict:
    match body.get("title"):
        case str(title) if title.strip() and len(title) <= 200:
            thread["title"] = title
            return {}
    raise HTTPException(422, "title must be a text of 1 to 200 characters.")


@app.post("/api/debug/threads/{thread_id}/archive")
async def archive(thread: dict = Depends(thread_of), visitor: str = Depends(visitor_of)) -> dict:
    del threads_of[visitor][thread["threadId"]]
    return {}


@app.post("/api/debug/threads/{thread_id}/run/stream")
async def run(body: dict = Body(), thread: dict = Depends(thread_of)) -> StreamingResponse:
    if thread["running"]:
        raise HTTPException(409, "An answer is being written in this thread.")
    question = store_question(body, thread["messages"])
    answers = [message for message in thread["messages"] if message["parentId"] == question["id"]]
    # A question that comes again is answered again only if the visitor wants another answer.
    again = body.get("trigger") == "regenerate-message"
    events = replay(answers[-1]) if answers and not again else stream(thread, question)
    # An iteration that has begun is also ended, if the connection closes before the response.
    await events.__anext__()
    headers = {"cache-control": "no-store", "x-vercel-ai-ui-message-stream": "v1"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def store_question(body: dict, messages: list) -> dict:
    """Its id names a question for good: one that comes again is not stored again."""
    known = {message["id"]: message for message in messages}
    match body.get("messages"):
        case [{"role": "user", "id": str(id), "content": str() | list() as content, **more}] if re.fullmatch(ID, id):
            parent = more.get("parentId", next(reversed(known), None))
        case _:
            raise HTTPException(422, "messages must hold one user message, with a content and an id of visible ASCII.")
    if parent is not None and parent not in known:
        raise HTTPException(422, "messages.0.parentId is the id of no message of this thread.")
    if id not in known:
        # Files come as data URLs, because this backend announces no uploads.
        question = {"id": id, "role": "user", "content": content, "parentId": parent, "createdAt": now()}
        messages.append({**question, "attachments": more.get("attachments") or []})
    return known.get(id, messages[-1])


def event(type: str, **fields: object) -> str:
    return f"data: {json.dumps({'type': type, **fields}, ensure_ascii=False)}\n\n"


async def stream(thread: dict, question: dict) -> AsyncIterator[str]:
    """Writes an answer. What was written is stored, also when the visitor stops it, which closes the connection."""
    message = {"id": f"a-{secrets.token_hex(6)}", "role": "assistant", "content": "", "parentId": question["id"]}
    status: dict = {"type": "incomplete", "reason": "cancelled"}
    thread["running"] = True
    try:
        yield ""
        yield event("start", messageId=message["id"])
        async for delta in answer(branch_to(thread["messages"], question)):
            message["content"] += delta
            yield event("text-delta", delta=delta)
        if not thread["title"]:
            thread["title"] = text_of(question)[:40] or "Файлы"
            yield event("data-thread-title", title=thread["title"])
        status = {"type": "complete"}
        yield event("finish")
    except Exception:
        logging.exception("No answer")
        status = {"type": "incomplete", "reason": "error", "error": "The model could not answer."}
        yield event("error", errorText=status["error"])
    finally:
        thread["messages"].append({**message, "status": status, "createdAt": now()})
        thread.update(updatedAt=now(), running=False)
    yield DONE


async def replay(message: dict) -> AsyncIterator[str]:
    yield ""
    yield event("start", messageId=message["id"]) + event("text-delta", delta=message["content"]) + event("finish") + DONE


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
