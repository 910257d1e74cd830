import { describe, expect, it } from "vitest";
import { bytesOfBase64, parseDataUrl } from "./data-url.ts";

describe("a data URL", () => {
  it("is read with its type and size", () => {
    expect([
      parseDataUrl("data:image/png;base64,iVBORw0KGgo="),
      parseDataUrl("data:text/plain;charset=utf-8;base64,SGk="),
      parseDataUrl("data:;base64,"),
    ]).toEqual([
      { contentType: "image/png", data: "iVBORw0KGgo=", size: 8 },
      { contentType: "text/plain", data: "SGk=", size: 2 },
      { contentType: "text/plain", data: "", size: 0 },
    ]);
  });

  it.each([
    "",
    "data:",
    "data:text/plain,Hi",
    "data:text/plain;base64,SGk",
    "data:text/plain;base64,S Gk=",
    "https://a.example/;base64,SGk=",
  ])("is none: %j", (url) => {
    expect(parseDataUrl(url)).toBeUndefined();
  });

  it("has the size of its bytes", () => {
    for (const text of ["a", "ab", "abc", "abcd"]) {
      const data = btoa(text);
      expect(parseDataUrl(`data:text/plain;base64,${data}`)?.size).toBe(bytesOfBase64(data).length);
    }
  });
});
