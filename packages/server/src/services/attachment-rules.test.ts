import { describe, expect, it } from "vitest";
import { accepts, fullRules, typeOfBytes } from "./attachment-rules.ts";

describe("attachment rules", () => {
  it("accept 5 images, PDFs and texts of 10 MB each in a message by default", () => {
    const defaults = { accept: "image/*,application/pdf,text/*", maxBytes: 10_000_000, maxCount: 5 };
    expect([fullRules(undefined), fullRules({ maxCount: 1 }), fullRules(false)]).toEqual([
      defaults,
      { ...defaults, maxCount: 1 },
      undefined,
    ]);
  });

  it.each<[string, string, string, boolean]>([
    ["image/*", "a.png", "image/png", true],
    ["image/*", "a.png", "IMAGE/PNG", true],
    ["image/*", "a.txt", "text/plain", false],
    ["image/*", "a.txt", "imagex/png", false],
    ["application/pdf", "a.pdf", "application/pdf; version=1.7", true],
    [".csv, .md", "Таблица.CSV", "application/octet-stream", true],
    [".csv", "csv", "text/plain", false],
    ["text/plain", "a.html", "text/html", false],
    ["*/*", "a.zip", "application/zip", true],
    [" ", "a.zip", "application/zip", true],
  ])("%j and a file %s of %s: %s", (accept, name, contentType, taken) => {
    expect(accepts(accept, { name, contentType })).toBe(taken);
  });
});

describe("the type of a file", () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const png = bytes("\x89PNG\r\n\x1a\n");

  it.each<[string, string, Uint8Array, string | undefined]>([
    ["image/png", "a.png", png, "image/png"],
    ["image/png", "a.png", bytes("<svg>"), undefined],
    ["image/jpeg", "a.jpg", png, undefined],
    ["image/jpeg", "a.jpg", bytes("\xff\xd8\xff\xe0"), "image/jpeg"],
    ["image/gif", "a.gif", bytes("GIF89a"), "image/gif"],
    ["image/webp", "a.webp", bytes("RIFF\0\0\0\0WEBPVP8 "), "image/webp"],
    ["image/svg+xml", "a.svg", bytes("<svg>"), "image/svg+xml"],
    ["application/pdf", "a.pdf", bytes("%PDF-1.7"), "application/pdf"],
    ["application/pdf", "a.pdf", bytes("MZ"), undefined],
    ["text/plain", "a.txt", bytes("Hi\n"), "text/plain"],
    ["text/plain; charset=windows-1251", "a.txt", bytes("\xcf\xf0\xe8"), "text/plain"],
    ["text/plain", "a.txt", bytes("MZ\0\0"), undefined],
    ["application/octet-stream", "a.bin", bytes("\0\x01"), "application/octet-stream"],
    ["", "notes.md", bytes("# Hi"), "text/markdown"],
    ["", "unknown", png, "image/png"],
  ])("that call themselves %j, %s", (claimed, name, content, type) => {
    expect(typeOfBytes(claimed, name, content)).toBe(type);
  });
});
