import { expect, it } from "vitest";
import { brokenLinks } from "./document-links.mjs";

/**
 * @param {string} text of `docs/page.md`
 * @returns {string[]}
 */
function broken(text) {
  /** @type {Readonly<Record<string, string>>} */
  const files = {
    "docs/page.md": text,
    "docs/other.md": "# Как «это»\n\n## 1C-Bitrix, `footer.php`\n\n## Twice\n\n## Twice\n\n```sh\n# comment\n```\n",
    "docs/pictures/a.png": "",
  };
  return brokenLinks("docs/page.md", {
    read: (path) => files[path] ?? "",
    exists: (path) => Object.hasOwn(files, path),
  });
}

it("files and headings that exist are no complaint, in markdown and in HTML", () => {
  const links = [
    "other.md#как-это",
    "other.md#1c-bitrix-footerphp",
    "other.md#twice-1",
    "#here",
    "https://a.example/#b",
  ];
  const text = `# Here\n${links.map((link) => `[text](${link})`).join(" ")}\n<img src="pictures/a.png">`;
  expect(broken(text)).toEqual([]);
});

it("a link to no file, to no heading and to a comment in code is a complaint", () => {
  expect(broken("[a](none.md) [b](other.md#twice-2) [c](other.md#comment)")).toEqual([
    "none.md",
    "other.md#twice-2",
    "other.md#comment",
  ]);
});

it("pictures, references and links in HTML are followed too", () => {
  const text = '![a](none.png "title")\n\n[name]: none.md\n\n<source srcset="pictures/b.png 2x"><a href="#none">b</a>';
  expect(broken(text)).toEqual(["none.png", "none.md", "pictures/b.png", "#none"]);
});

it("links in code are left alone", () => {
  expect(broken("`[a](none.md)`\n\n```md\n[b](none.md)\n```\n")).toEqual([]);
});
