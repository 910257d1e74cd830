import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ChatError } from "../chat-error.ts";
import { StorageUnavailableError } from "../storage/storage.ts";
import { errorStatuses, toErrorResponse } from "./error-response.ts";

describe("an error response", () => {
  it("has the status of its code, and the seconds until a retry", () => {
    expect(toErrorResponse(new ChatError("rate_limited", "Wait.", { retryAfter: 3 }))).toEqual({
      status: 429,
      headers: { "retry-after": "3" },
      problem: { error: { code: "rate_limited", message: "Wait." } },
    });
  });

  it("is 503 while the database is unavailable", () => {
    expect(toErrorResponse(new StorageUnavailableError("connection refused by db-7"))).toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
      problem: { error: { code: "unavailable" } },
    });
  });

  it("does not repeat the message of an unexpected error", () => {
    const { status, problem } = toErrorResponse(new Error("the password is 1234"));
    expect([status, problem.error.code]).toEqual([500, "internal"]);
    expect(problem.error.message).not.toContain("1234");
  });
});

describe("the documents list every code with its status", () => {
  const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");

  it("docs/protocol.md", () => {
    const text = read("protocol.md");
    const errors = text.slice(text.indexOf("## Errors"));
    const listed = [...errors.matchAll(/^\| (\d{3}) +\| (.+) \|$/gm)].flatMap(([, status, codes = ""]) =>
      [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => [code, Number(status)]),
    );
    expect(Object.fromEntries(listed)).toEqual(errorStatuses);
  });

  it.each(["troubleshooting.md", "ru/troubleshooting.md"])("docs/%s", (name) => {
    const rows = [...read(name).matchAll(/^\| (\d{3}) +\| `([a-z_]+)` +\|/gm)];
    expect(Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]))).toEqual(errorStatuses);
  });
});
