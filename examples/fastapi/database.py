"""The threads of all visitors in a file of SQLite, which CHAT_DB names, and the commands of its operator."""

import argparse
import json
import os
import sqlite3
import sys
from datetime import datetime, timezone
from pathlib import Path

PATH = os.environ.get("CHAT_DB", "chat.db")
SCHEMA = """
create table if not exists threads (
    threadId text primary key, visitor text not null, title text not null, updatedAt text not null);
create index if not exists threads_by_visitor on threads (visitor, updatedAt);
create table if not exists messages (
    position integer primary key, threadId text not null references threads on delete cascade, message text not null);
create index if not exists messages_by_thread on messages (threadId, position);
"""


def now() -> str:
    return datetime.now(timezone.utc).isoformat().replace("+00:00", "Z")


class Database:
    """One connection of one process. A statement takes about a millisecond, so an event loop may wait for it."""

    def __init__(self, mode: str = "rwc") -> None:
        self.sql = sqlite3.connect(f"{Path(PATH).absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
        self.sql.row_factory = sqlite3.Row
        # Deleted data is overwritten.
        self.sql.executescript("pragma foreign_keys = on; pragma secure_delete = on")
        if mode == "rwc":
            self.sql.executescript(f"pragma journal_mode = wal; {SCHEMA}")

    def threads(self, visitor: str) -> list[dict]:
        listed = "select threadId, title, updatedAt from threads where visitor = ? order by updatedAt desc"
        return [dict(thread) for thread in self.sql.execute(listed, (visitor,))]

    def has(self, visitor: str, thread_id: str) -> bool:
        found = self.sql.execute("select 1 from threads where threadId = ? and visitor = ?", (thread_id, visitor))
        return found.fetchone() is not None

    def messages(self, thread_id: str) -> list[dict]:
        kept = self.sql.execute("select message from messages where threadId = ? order by position", (thread_id,))
        return [json.loads(message) for (message,) in kept]

    def create(self, visitor: str, thread_id: str) -> dict:
        thread = {"threadId": thread_id, "title": "", "updatedAt": now()}
        kept = "insert into threads values (:threadId, :visitor, :title, :updatedAt)"
        self.sql.execute(kept, {**thread, "visitor": visitor})
        return thread

    def store(self, thread_id: str, message: dict) -> dict:
        """A thread that was deleted meanwhile stays deleted."""
        message = {**message, "createdAt": now()}
        kept = "insert into messages (threadId, message) select threadId, ? from threads where threadId = ?"
        self.sql.execute(kept, (json.dumps(message, ensure_ascii=False), thread_id))
        self.sql.execute("update threads set updatedAt = ? where threadId = ?", (now(), thread_id))
        return message

    def rename(self, thread_id: str, title: str, only_untitled: bool = False) -> bool:
        """Whether the thread has this title now."""
        titled = "update threads set title = ? where threadId = ? and (title = '' or not ?)"
        return self.sql.execute(titled, (title, thread_id, only_untitled)).rowcount > 0

    def delete(self, thread_id: str) -> None:
        self.sql.execute("delete from threads where threadId = ?", (thread_id,))

    def move(self, visitor: str | None, to: str) -> int:
        return self.sql.execute("update threads set visitor = ? where visitor = ?", (to, visitor)).rowcount

    def erase(self, visitor: str) -> int:
        erased = self.sql.execute("delete from threads where visitor = ?", (visitor,)).rowcount
        self.sql.execute("pragma wal_checkpoint(truncate)")
        return erased


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    backup = commands.add_parser("backup", help="copies the database as it is at one moment, also beside the server")
    backup.add_argument("file", help="which is not there yet")
    for name, what in {"export": "prints all that a visitor has", "purge": "deletes it"}.items():
        commands.add_parser(name, help=what).add_argument("visitor", help="host: and the token's sub, as in host:42")
    options = parser.parse_args()
    if options.command == "backup" and Path(options.file).exists():
        parser.error(f"{options.file} is there already")
    try:
        database = Database("rw")
        if options.command == "backup":
            database.sql.execute("vacuum into ?", (options.file,))
        elif options.command == "export":
            threads = database.threads(options.visitor)
            whole = [{**thread, "messages": database.messages(thread["threadId"])} for thread in threads]
            print(json.dumps({"visitor": options.visitor, "threads": whole}, ensure_ascii=False, indent=2))
        else:
            erased = database.erase(options.visitor)
            print(f"Deleted {erased} thread{'' if erased == 1 else 's'} of the visitor {options.visitor}")
    except sqlite3.Error as error:
        sys.exit(f"{PATH}: {error}. CHAT_DB has to name the file of the server.")


if __name__ == "__main__":
    main()
