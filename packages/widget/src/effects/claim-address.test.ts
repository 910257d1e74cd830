import { expect, it } from "vitest";
import { claimAddress } from "./claim-address.ts";

it("of several widgets the first writes an address, until it goes; the others are told", () => {
  const warnings: string[] = [];
  const claim = (routing: "path" | "hash" | "none", basePath: string) => {
    const life = new AbortController();
    const rules = claimAddress({ routing, basePath }, life.signal, (text) => warnings.push(text));
    return { routing: rules.routing, end: () => life.abort() };
  };
  const first = claim("path", "");
  expect([first.routing, claim("path", "").routing]).toEqual(["path", "none"]);
  expect([claim("path", "/help").routing, claim("hash", "").routing, claim("none", "").routing]).toEqual([
    "path",
    "hash",
    "none",
  ]);
  expect(warnings).toEqual(['Nitka: another widget writes the address, this one has routing "none".']);
  first.end();
  expect(claim("path", "").routing).toBe("path");
});
