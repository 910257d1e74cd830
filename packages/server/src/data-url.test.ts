import { describe, expect, it } from "vitest";
import { fileOfBase64, fileOfDataUrl } from "./data-url.ts";

function textOf(url: string): string | undefined {
  const file = fileOfDataUrl(url);
  return file && new TextDecoder().decode(file.bytes());
}

describe("a data URL", () => {
  it("is read with its type, its size and its bytes", () => {
    const read = [
      "data:image/png;base64,iVBORw0KGgo=",
      "data:text/plain;charset=utf-8;base64,SGk=",
      "DATA:;base64,",
      "data:text/csv,a%2Cb%0A%D0%B6ж%",
    ].map((url) => {
      const { contentType, size, isWhole, bytes } = fileOfDataUrl(url) ?? {};
      return { contentType, size, isWhole: isWhole?.(), length: bytes?.().length };
    });
    expect(read).toEqual([
      { contentType: "image/png", size: 8, isWhole: true, length: 8 },
      { contentType: "text/plain", size: 2, isWhole: true, length: 2 },
      { contentType: "text/plain", size: 0, isWhole: true, length: 0 },
      { contentType: "text/csv", size: 9, isWhole: true, length: 9 },
    ]);
    expect([textOf("data:,a%2Cb%0A%D0%B6ж%"), textOf("data:text/plain;base64,SGk=")]).toEqual(["a,b\nжж%", "Hi"]);
  });

  it.each(["data:text/plain;base64,SGk", "data:text/plain;base64,S Gk=", "data:text/plain;base64,=SGk"])(
    "is incomplete: %j",
    (url) => {
      expect(fileOfDataUrl(url)?.isWhole()).toBe(false);
    },
  );

  it.each(["", "data:", "https://a.example/;base64,SGk="])("is not one: %j", (url) => {
    expect(fileOfDataUrl(url)).toBeUndefined();
  });
});

describe("base64", () => {
  it("gives the same bytes as a whole and in pieces, with the announced size", async () => {
    const bytes = new Uint8Array(700_001).map((_, n) => n % 251);
    const file = fileOfBase64(Buffer.from(bytes).toString("base64"), "x/y");
    const pieces: Uint8Array[] = [];
    for await (const piece of file.pieces()) pieces.push(piece);
    expect(pieces.length).toBe(4);
    expect([Buffer.compare(Buffer.concat(pieces), bytes), Buffer.compare(file.bytes(), bytes)]).toEqual([0, 0]);
    expect([1, 2, 3, 4].map((length) => fileOfBase64(btoa("a".repeat(length)), "x/y").size)).toEqual([1, 2, 3, 4]);
  });
});
