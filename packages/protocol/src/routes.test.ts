import { expect, it } from "vitest";
import { attachmentIdIn, attachmentRoute, claimRoute, configRoute, routes, visitorRoute } from "./routes.ts";

it("routes has every path of the protocol", () => {
  expect(Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, route("x", "y")]))).toEqual({
    threads: "api/debug/threads",
    messages: "api/debug/threads/x/messages",
    rename: "api/debug/threads/x/rename",
    archive: "api/debug/threads/x/archive",
    run: "api/debug/threads/x/run/stream",
    cancel: "api/debug/threads/x/run/cancel",
    branch: "api/debug/threads/x/branch",
    toolAnswer: "api/debug/threads/x/run/tool",
    feedback: "api/debug/threads/x/messages/y/feedback",
    attachments: "api/debug/threads/x/attachments",
  });
  expect([configRoute("x"), visitorRoute, claimRoute]).toEqual([
    "api/projects/x/config",
    "api/debug/visitor",
    "api/debug/visitor/claim",
  ]);
  expect(attachmentRoute("x/y")).toBe("api/debug/attachments/x%2Fy");
});

it("routes encodes ids, so that no id changes the path", () => {
  expect(new URL(routes.messages("a/../b?c#d ё"), "https://example.org/base/").pathname).toBe(
    "/base/api/debug/threads/a%2F..%2Fb%3Fc%23d%20%D1%91/messages",
  );
});

it("attachmentIdIn reads the id from an attachment's address, and from no other address", () => {
  expect(attachmentIdIn(attachmentRoute("f-1_a"))).toBe("f-1_a");
  for (const address of [
    "",
    "f1",
    "/api/debug/attachments/f1",
    "api/debug/attachments/",
    "api/debug/attachments/a/b",
  ]) {
    expect(attachmentIdIn(address)).toBeUndefined();
  }
});
