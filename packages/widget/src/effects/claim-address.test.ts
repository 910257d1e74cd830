import { expect, it } from "vitest";
import { claimAddress } from "./claim-address.ts";

it("a widget leaves an address that another one writes alone, and warns, unless it writes none anyway", () => {
  const warnings: string[] = [];
  const claim = (routing: "path" | "none", isOwn: boolean) =>
    claimAddress({ routing, basePath: "" }, isOwn, (text) => warnings.push(text)).routing;
  expect([claim("path", true), claim("none", false), claim("path", false)]).toEqual(["path", "none", "none"]);
  expect(warnings).toEqual(['Nitka: another widget writes the address, this one has routing "none".']);
});
