import { describe, expect, it } from "vitest";
import { typeOfBytes } from "./type-of-bytes.ts";

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
    ["text/ж", "a.txt", bytes("Hi"), "text/plain"],
    ["text/a b", "a.md", bytes("# Hi"), "text/markdown"],
    ["x", "a.bin", bytes("\0\x01"), "application/octet-stream"],
    ["image/\u2028", "a", png, "image/png"],
  ])("that call themselves %j, %s", (claimed, name, content, type) => {
    expect(typeOfBytes(claimed, name, content)).toBe(type);
  });
});
