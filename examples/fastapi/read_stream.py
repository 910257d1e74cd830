"""Reads the stream of a run and folds its events into the answer, as the widget does."""

import json
import re
from contextlib import suppress

APPROVALS = {"tool-approval-request": "requested", "tool-output-denied": "denied", "data-tool-approved": "approved"}
ABOUT_THREAD = ("title", "thread-title", "thinking", "progress", "ping", "tool-request", "suggestions", "error")


def events_of(body: bytes):
    """The data of each event, with its id, or None."""
    data: list[str] = []
    id = None
    for line in re.split("\r\n|\r|\n", body.decode("utf-8-sig", "replace")) + [""]:
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        elif field == "id":
            id = value.removeprefix(" ") or None
        elif line == "":
            # If the data as a whole is not JSON, each line is an event.
            for each in [whole] if parse(whole := "\n".join(data)) else data:
                yield each, id
            data, id = [], None


def parse(line: str):
    """An event with its fields beside `type`, where they may stand under `data` or `error` too."""
    with suppress(ValueError):
        if isinstance(wire := json.loads(line), dict):
            inner = [fields for fields in (wire.get("error"), wire.get("data")) if isinstance(fields, dict)]
            return {**{name: value for fields in inner for name, value in fields.items()}, **wire}


def text(event: dict, *names: str):
    """The first of the fields that has text. A number is text too."""
    values = (event.get(name) for name in names)
    return next((str(value) for value in values if type(value) in (str, int, float) and value != ""), None)


def fold(answer: dict, event: dict, blocks: dict) -> None:
    kind, _, action = (name := str(event.get("type"))).partition("-")
    parts, id, url, title = answer["content"], text(event, "id"), text(event, "url"), text(event, "title")
    if name == "data-suggestions":
        answer["suggestions"] = event["suggestions"]
    if answer["status"]["type"] != "running":
        return
    if name == "start":
        answer["id"] = text(event, "messageId", "id") or answer["id"]
    elif name in ("finish", "abort", "error"):
        end(answer, status_of(name, event, blocks.get("code")))
    elif name == "data-error":
        blocks["code"] = text(event, "code")
    elif kind in ("text", "reasoning") and action in ("start", "delta"):
        delta = text(event, "delta", "text", "data") if action == "delta" else ""
        index = blocks.get((kind, id), len(parts)) if id else len(parts) - 1
        if delta and 0 <= index < len(parts) and parts[index]["type"] == kind:
            parts[index]["text"] += delta
        elif delta is not None:
            blocks[kind, id] = len(parts)
            parts.append({"type": kind, "text": delta})
    elif (call := text(event, "toolCallId", "id")) and (kind == "tool" or name in APPROVALS):
        part = next((part for part in parts if part.get("toolCallId") == call), None)
        if name in APPROVALS:
            return part.update(approval=APPROVALS[name]) if part else None
        if not part:
            parts.append(part := {"type": "tool-call", "toolCallId": call, "toolName": "", "argsText": ""})
        part["toolName"] = text(event, "toolName") or part["toolName"]
        if name == "tool-input-delta":
            part["argsText"] += text(event, "inputTextDelta", "delta") or ""
        if (given := event.get("input")) is not None:
            written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, separators=(",", ":"))
            part.update(args=given, argsText=part["argsText"] or written)
        if name == "tool-output-available":
            part["result"] = event.get("output")
        if error := text(event, "errorText"):
            part.update(result=error, isError=True)
        if part.get("approval") == "requested":
            part["approval"] = "approved"
    elif (name == "source-url" and url) or (name == "source-document" and title):
        metadata = event.get("providerMetadata")
        cited = metadata.get("nitka", {}) if isinstance(metadata, dict) else {}
        source = {"type": "source", "sourceType": "url", "id": text(event, "sourceId", "id") or url or title}
        parts.append({**cited, **source, "url": url or "", "title": title})
    elif name == "file" and url:
        parts.append(file_part(url, text(event, "mediaType") or "application/octet-stream", text(event, "filename")))
    elif kind == "data" and action and action not in ABOUT_THREAD and not event.get("transient"):
        part = next((part for part in parts if id and (part.get("name"), part.get("id")) == (action, id)), None)
        if not part:
            parts.append(part := {"type": "data", "name": action, "id": id})
        part["data"] = event.get("data")


def status_of(name: str, event: dict, code) -> dict:
    if name == "abort":
        return {"type": "incomplete", "reason": "cancelled"}
    if name == "error" and code == "interrupted":
        return {"type": "incomplete", "reason": code}
    if name == "error":
        error = text(event, "errorText", "error", "message", "data") or ""
        return {"type": "incomplete", "reason": "error", "error": error, "code": code}
    reason = event.get("finishReason")
    return {"type": "incomplete", "reason": reason} if reason in ("length", "content-filter") else {"type": "complete"}


def file_part(url: str, media_type: str, filename):
    kind, _, form = media_type.partition("/")
    data = re.fullmatch("data:[^,]*;base64,(.*)", url)
    if kind == "audio" and (data or ":" not in url):
        return {"type": kind, "audio": {**({"data": data[1]} if data else {"url": url}), "format": form}}
    file = {"type": "file", "url": url, "filename": filename, "mimeType": media_type}
    return {"type": kind, "image": url} if kind == "image" else file


def end(answer: dict, status: dict) -> None:
    if answer["status"]["type"] == "running":
        answer.update(status=status, content=[part for part in answer["content"] if part.get("text") != ""])


def about_thread(event: dict):
    """What an event says about the thread, which is no part of the answer: a title, what goes on, a request to the page."""
    name = event.get("type")
    if name in ("thread-rename", "data-title", "data-thread-title"):
        title = text(event, "title", "newTitle", "data")
        return {"type": name, "title": title} if title else None
    if name in ("data-thinking", "data-progress"):
        return {"type": name, "text": text(event, "text", "message", "data")}
    fields = {"data-tool-request": ("toolCallId", "toolName", "input"), "data-tool-approved": ("toolCallId",)}
    fields |= {"data-suggestions": ("suggestions",), "data-error": ("code",)}
    return {"type": name, **{field: event.get(field) for field in fields[name]}} if name in fields else None


def read_stream(body: bytes) -> dict:
    """The answer that a response's body comes to, what it says about the thread, the ids of its events, and whether [DONE] came."""
    answer, blocks = {"id": "answer", "role": "assistant", "content": [], "status": {"type": "running"}}, {}
    done, about, ids = False, [], []
    for line, id in events_of(body):
        if done := line.strip() == "[DONE]":
            end(answer, {"type": "complete"})
            break
        event = parse(line) or {}
        fold(answer, event, blocks)
        about.append(about_thread(event))
        ids.append(id if event.get("type") != "data-ping" else None)
    more = {"threadEvents": [each for each in about if each], "ids": [id for id in ids if id]}
    return {"done": done, "message": present(answer), **{name: present(all) for name, all in more.items() if all}}


def present(value):
    """Without the fields that are absent."""
    if isinstance(value, list):
        return [present(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: present(item) for name, item in value.items() if item is not None or name == "result"}
