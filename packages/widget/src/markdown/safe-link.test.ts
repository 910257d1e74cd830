// @vitest-environment node
import { expect, test } from "vitest";
import { safeImage, safeLink } from "./safe-link.ts";

test.each([
  "http://example.com",
  "https://example.com/a:b?c#d",
  "HTTPS://EXAMPLE.COM",
  "irc://irc.example.com/nitka",
  "ircs://irc.example.com",
  "mailto:a@example.com",
  "xmpp:a@example.com",
  "/path",
  "path/to:this",
  "?query=a:b",
  "#fragment:a",
  "//example.com/path",
  "",
])("a link to %j is kept", (url) => {
  expect(safeLink(url)).toBe(url);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "java\nscript:alert(1)",
  "java\tscript:alert(1)",
  "https\n:alert(1)",
  "\uFEFFhttps://example.com",
  "vbscript:x",
  "data:text/html,<script>alert(1)</script>",
  "blob:https://example.com/1",
  "file:///etc/passwd",
  "tel:+70000000000",
  "ftp://example.com",
  "view-source:https://example.com",
  "pending:",
  ":",
])("a link to %j is stripped", (url) => {
  expect(safeLink(url)).toBeUndefined();
});

const hosts = ["cdn.example.com", "Pictures.Example.com", "localhost:3000"];

test.each([
  ["https://cdn.example.com/a.png", "https://cdn.example.com/a.png"],
  ["HTTPS://CDN.example.com:443/a.png?b#c", "https://cdn.example.com/a.png?b#c"],
  ["https://cdn.example.com:8443/a.png", "https://cdn.example.com:8443/a.png"],
  ["http://pictures.example.com/a.png", "http://pictures.example.com/a.png"],
  ["http://localhost:3000/a.png", "http://localhost:3000/a.png"],
])("an image at %j loads", (url, loaded) => {
  expect(safeImage(url, hosts)).toBe(loaded);
});

test.each([
  "https://evil.example/a.png",
  "https://cdn.example.com.evil.example/a.png",
  "https://cdn.example.com@evil.example/a.png",
  "https://evil.example\\@cdn.example.com/a.png",
  "https://user:secret@cdn.example.com/a.png",
  "http://localhost:3001/a.png",
  "//cdn.example.com/a.png",
  "/a.png",
  "a.png",
  "https:a.png",
  "https:cdn.example.com/a.png",
  "data:image/png;base64,AAAA",
  "ftp://cdn.example.com/a.png",
  "https://",
  "",
])("an image at %j does not", (url) => {
  expect(safeImage(url, hosts)).toBeUndefined();
});

test("no image loads where no host is named", () => {
  expect(safeImage("https://cdn.example.com/a.png", [])).toBeUndefined();
});
