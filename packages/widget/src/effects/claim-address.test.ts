import { expect, it } from "vitest";
import { claimAddress } from "./claim-address.ts";

it("a widget does not write an address that another widget writes, and warns unless its routing is none", () => {
  const warnings: string[] = [];
  const claim = (routing: "path" | "none", isOwn: boolean) =>
    claimAddress({ routing, basePath: "" }, isOwn, (text) => warnings.push(text)).routing;
  expect([claim("path", true), claim("none", false), claim("path", false)]).toEqual(["path", "none", "none"]);
  expect(warnings).toEqual(['Nitka: another widget writes the address, this one has routing "none".']);
});
