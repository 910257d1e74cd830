import { expect, test } from "vitest";
import { charsetOf, decodeText } from "./decode-text.ts";

const text = "Доставка по всей стране, возврат в течение двух недель";
const alphabet = Array.from({ length: 128 }, (_, at) => at + 128);

/** The other direction of a decoder of one byte a letter. */
function encode(label: string, of: string): Uint8Array {
  const decoder = new TextDecoder(label);
  const bytes = new Map(alphabet.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(of, (letter) => bytes.get(letter) ?? letter.charCodeAt(0));
}

const utf16 = (of: string): Uint8Array => new Uint8Array(Buffer.from(of, "utf16le"));

test.each([
  ["windows-1251 by the header", encode("windows-1251", text), "windows-1251"],
  ["koi8-r by the header", encode("koi8-r", text), "KOI8-R"],
  ["windows-1251 by nothing", encode("windows-1251", text), undefined],
  ["koi8-r by nothing", encode("koi8-r", text), undefined],
  ["windows-1251 that says it is UTF-8", encode("windows-1251", text), "utf-8"],
  ["UTF-8 that says it is windows-1251", new TextEncoder().encode(text), "windows-1251"],
  ["UTF-8 of an unknown name", new TextEncoder().encode(text), "utf8mb4"],
  ["UTF-8 with a mark", new TextEncoder().encode(`\ufeff${text}`), undefined],
  ["UTF-16 with a mark", utf16(`\ufeff${text}`), "utf-8"],
  ["UTF-16 by the header", utf16(text), "utf-16le"],
])("decodes %s", (_, bytes, charset) => {
  expect(decodeText(bytes, charset)).toBe(text);
});

test("decodes what the document says of itself", () => {
  for (const head of [
    '<meta charset="koi8-r">',
    '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
    '<?xml version="1.0" encoding="koi8-r"?>',
  ]) {
    expect(decodeText(encode("koi8-r", head + text))).toBe(head + text);
  }
  expect(charsetOf('text/html; charset="windows-1251"')).toBe("windows-1251");
});

test("keeps UTF-8 with a broken letter, and western accents without a declaration", () => {
  const broken = new TextEncoder().encode(text);
  broken[4] = 0xff;
  expect(decodeText(broken, "windows-1251").slice(4)).toBe(text.slice(3));
  expect(decodeText(encode("windows-1252", "café à la crème, très bon"))).toBe("café à la crème, très bon");
});

test("tells a Russian charset without a declaration, however much markup there is", () => {
  const page = `<script>${"const x = 1; ".repeat(10_000)}</script><p>${text}</p>`;
  for (const label of ["windows-1251", "koi8-r"]) expect(decodeText(encode(label, page))).toBe(page);
});
