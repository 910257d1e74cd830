import { describe, expect, it } from "vitest";
import { refusalOf, threadOpener } from "@nitka/server/test-kit";
import { DeskClient, KEY } from "../desk-client.contract.ts";
import { createDesk } from "../create-desk.ts";

const { openThread } = threadOpener();

describe("the desk's session", () => {
  const guarded = [
    "/projects",
    "/runs",
    "/runs/r1",
    "/runs/r1/recording/sse",
    "/days",
    "/knowledge",
    "/conversations/t1/-/api/projects/desk/config",
    "/conversations/t1/-/api/debug/threads/t1/messages",
    "/conversations/t1/-/api/debug/attachments/f1",
    "/replays/r1/1/api/debug/threads/t1/run/stream",
    "/recordings/r1/1/api/debug/threads",
  ];

  it("is required for everything but itself", async () => {
    const { storage } = await openThread();
    const desk = new DeskClient({ storage, projects: {} });
    for (const path of guarded) {
      expect([path, await refusalOf(await desk.fetch(path))]).toEqual([path, "401 unauthorized"]);
    }
    expect(await refusalOf(await desk.fetch("/recordings", { method: "POST", body: "data: {}" }))).toBe(
      "401 unauthorized",
    );
    expect(await desk.get("/session")).toEqual({ isOpen: false });
  });

  it("opens only with the key, in a cookie that no script and no other site can use", async () => {
    const { storage } = await openThread();
    const desk = new DeskClient({ storage, projects: {} });
    for (const wrong of ["", "a key", `${KEY}.`, KEY.toUpperCase()]) {
      expect(await refusalOf(await desk.signIn(wrong))).toBe("401 unauthorized");
    }
    const opened = await desk.signIn();
    expect(opened.headers.get("set-cookie")).toMatch(
      /^nitka_desk=\d+\.[\w-]+; Path=\/desk; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(await desk.get("/session")).toEqual({ isOpen: true });
    expect(desk.log.map(({ level, text, fields }) => [level, text, fields["address"]]).slice(-2)).toEqual([
      ["warn", "a wrong key at the desk", "192.0.2.9"],
      ["info", "an operator signed in", "192.0.2.9"],
    ]);
    expect(JSON.stringify(desk.log)).not.toContain("a key");
    const left = await desk.fetch("/session", { method: "DELETE" });
    expect(left.headers.get("set-cookie")).toContain("nitka_desk=; Path=/desk; Max-Age=0");
    expect(await desk.get("/session")).toEqual({ isOpen: false });
  });

  it("has the name of its operator, which appears in the log, and ends with the operator's key", async () => {
    const { storage, threadId } = await openThread();
    const anna = { name: "anna", key: "the key of anna, the first" };
    const boris = { name: "борис", key: "the key of boris, the first" };
    const projects = { default: { models: [] } };
    const desk = new DeskClient({ storage, projects, operators: [anna, boris, { ...anna, key: "anna's second key" }] });
    await desk.signIn(boris.key);
    expect(await desk.get("/session")).toEqual({ isOpen: true, operator: "борис" });
    await desk.get("/runs");
    await desk.get(`/conversations/${threadId}/-/api/debug/threads/x/messages`);
    await desk.signIn("anna's second key");
    await desk.get("/runs");
    const seen = desk.log.map(({ text, fields }) => [text, fields["operator"]]);
    expect(seen).toEqual([
      ["an operator signed in", "борис"],
      ["an operator read the list of answers", "борис"],
      ["an operator opened a conversation", "борис"],
      ["an operator signed in", "anna"],
      ["an operator read the list of answers", "anna"],
    ]);
    const without = new DeskClient({ storage, projects, operators: [boris] });
    without.cookie = desk.cookie;
    expect(await without.get("/session")).toEqual({ isOpen: false });
    await desk.signIn();
    expect(await desk.get("/session")).toEqual({ isOpen: true });
  });

  it("is not required with a key as a bearer token, which takes precedence over a cookie", async () => {
    const { storage } = await openThread();
    const desk = new DeskClient({
      storage,
      projects: {},
      operators: [{ name: "bi", key: "the key of a program" }],
      clock: () => new Date(0),
    });
    const asked = (key: string, path = "/days") => desk.fetch(path, { headers: { authorization: `Bearer ${key}` } });
    for (let n = 0; n < 20; n += 1) expect((await asked("the key of a program")).status).toBe(200);
    expect((await asked(KEY)).status).toBe(200);
    await desk.signIn();
    for (let n = 0; n < 9; n += 1) expect(await refusalOf(await asked("wrong"))).toBe("401 unauthorized");
    expect(await refusalOf(await asked("wrong"))).toBe("429 rate_limited");
    expect(desk.log.at(-1)).toEqual({
      level: "warn",
      text: "a wrong key at the desk",
      fields: { requestId: expect.any(String) as string, address: "192.0.2.9" },
    });
    expect((await asked("the key of a program")).status).toBe(200);
  });

  it("is Secure behind HTTPS", async () => {
    const { storage } = await openThread();
    const secure = async (trustedProxies: number) => {
      const desk = new DeskClient({ storage, projects: {}, trustedProxies });
      const opened = await desk.fetch("/session", {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-proto": "https" },
        body: JSON.stringify({ key: KEY }),
      });
      return opened.headers.get("set-cookie")?.endsWith("; Secure");
    };
    expect([await secure(1), await secure(0)]).toEqual([true, false]);
  });

  it("expires after twelve hours, and cannot be forged", async () => {
    const { storage } = await openThread();
    let now = 0;
    const desk = new DeskClient({ storage, projects: {}, clock: () => new Date(now) });
    await desk.signIn();
    const { cookie = "" } = desk;
    now = 12 * 3_600_000 - 1_000;
    expect(await desk.get("/session")).toEqual({ isOpen: true });
    now += 1_000;
    expect(await desk.get("/session")).toEqual({ isOpen: false });
    desk.cookie = cookie.replace(/=\d+/, "=9999999999");
    expect(await desk.get("/session")).toEqual({ isOpen: false });
  });

  it("accepts ten attempts per minute from one address, even with the right key", async () => {
    const { storage } = await openThread();
    const desk = new DeskClient({ storage, projects: {}, clock: () => new Date(0) });
    for (let tries = 0; tries < 10; tries += 1) await desk.signIn("wrong");
    const refused = await desk.signIn();
    expect([refused.headers.get("retry-after"), await refusalOf(refused)]).toEqual(["6", "429 rate_limited"]);
  });

  it.each([
    ["{", "400 bad_request"],
    ["{}", "422 unprocessable"],
    ['{"key":7}', "422 unprocessable"],
  ])("is not opened by the body %s", async (body, refusal) => {
    const { storage } = await openThread();
    const desk = new DeskClient({ storage, projects: {} });
    const headers = { "content-type": "application/json" };
    expect(await refusalOf(await desk.fetch("/session", { method: "POST", headers, body }))).toBe(refusal);
  });

  it("requires a key of sixteen characters", async () => {
    const { storage } = await openThread();
    expect(() => createDesk({ storage, projects: {}, key: "fifteen letters" })).toThrow(
      "key has 15 characters: expected at least 16 random ones.",
    );
    const operators = [{ name: "anna", key: "short" }];
    expect(() => createDesk({ storage, projects: {}, operators })).toThrow(
      'operators: the key of "anna" has 5 characters: expected at least 16 random ones.',
    );
    expect(() => createDesk({ storage, projects: {} })).toThrow("key and operators are missing: nobody could sign in.");
  });
});
