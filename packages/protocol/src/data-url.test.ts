import { describe, expect, it } from "vitest";
import { dataUrlOf, isDataUrl, parseDataUrl } from "./data-url.ts";

describe("parseDataUrl", () => {
  it.each([
    ["data:audio/mpeg;base64,AAAA", { mimeType: "audio/mpeg", isBase64: true, body: "AAAA" }],
    ["DATA:Image/PNG;name=a.png; Base64 ,AA==", { mimeType: "image/png", isBase64: true, body: "AA==" }],
    ["data:text/csv;charset=utf-8,a,b", { mimeType: "text/csv", isBase64: false, body: "a,b" }],
    ["data:text/plain;base64;charset=utf-8,a", { mimeType: "text/plain", isBase64: false, body: "a" }],
    ["data:,a%20b", { mimeType: "text/plain", isBase64: false, body: "a%20b" }],
    ["data:;base64,", { mimeType: "text/plain", isBase64: true, body: "" }],
  ])("reads %j", (url, parts) => {
    expect(parseDataUrl(url)).toEqual(parts);
  });

  it.each(["", "data", "data:text/plain;base64", "https://a.example/?data:text/plain;base64,AA", " data:,a"])(
    "returns undefined for %j",
    (url) => {
      expect(parseDataUrl(url)).toBeUndefined();
    },
  );

  it("reads what dataUrlOf writes", () => {
    expect(parseDataUrl(dataUrlOf("a/b", "AA=="))).toEqual({ mimeType: "a/b", isBase64: true, body: "AA==" });
  });
});

it("isDataUrl only checks the scheme", () => {
  expect(["data:", "Data:x", "blob:data:", "data"].map(isDataUrl)).toEqual([true, true, false, false]);
});
