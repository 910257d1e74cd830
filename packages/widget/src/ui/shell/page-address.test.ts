import { expect, it } from "vitest";
import { pageAddress } from "./page-address.ts";

const base = "https://shop.example/cart?x=1#top";

it.each([
  ["/chat?from=shop", "https://shop.example/chat/c/t%2F1?from=shop"],
  ["https://chat.example", "https://chat.example/c/t%2F1"],
  ["https://chat.example/help/", "https://chat.example/help/c/t%2F1"],
  ["https://chat.example/#", "https://chat.example/#/c/t%2F1"],
  ["/chat.html#/help/", "https://shop.example/chat.html#/help/c/t%2F1"],
])("a thread stands in the address %s", (pageUrl, address) => {
  expect(pageAddress(pageUrl, "t/1", base)).toBe(address);
});

it("without a thread it is the page's own address", () => {
  expect(pageAddress("/chat", undefined, base)).toBe("https://shop.example/chat");
});
