import { describe, expect, it } from "vitest";
import { matchSegments, pathPattern, segmentsOf } from "./match-path.ts";

describe("a path pattern", () => {
  const thread = pathPattern("/p/:project/threads/:id");
  const parametersOf = (path: string, pattern = thread) => matchSegments(pattern, segmentsOf(path));

  it("returns the parameters of a path that it matches, percent-decoded", () => {
    expect(parametersOf("/p/shop/threads/a%7Eb")).toEqual({ project: "shop", id: "a~b" });
  });

  it("matches with one slash at the end, but not with two", () => {
    expect(parametersOf("/p/shop/threads/t1/")).toEqual({ project: "shop", id: "t1" });
    expect(parametersOf("/p/shop/threads/t1//")).toBeUndefined();
  });

  it("matches no path that is shorter, longer or differently named", () => {
    for (const path of ["/p/shop/threads", "/p/shop/threads/t1/run", "/p/shop/runs/t1", "/p//threads/t1", "/", ""]) {
      expect(parametersOf(path)).toBeUndefined();
    }
  });

  it("treats an encoded slash as a part of its segment", () => {
    expect(parametersOf("/p/shop/threads/a%2Fb")).toEqual({ project: "shop", id: "a/b" });
  });

  it("leaves a segment unchanged that cannot be decoded", () => {
    expect(parametersOf("/p/shop/threads/%E0%A4%A")).toEqual({ project: "shop", id: "%E0%A4%A" });
  });

  it("begins with the base path, with or without slashes around it", () => {
    for (const basePath of ["/chat", "/chat/", "chat"]) {
      const healthz = pathPattern("/healthz", basePath);
      expect(parametersOf("/chat/healthz", healthz)).toEqual({});
      expect(parametersOf("/healthz", healthz)).toBeUndefined();
    }
  });
});
