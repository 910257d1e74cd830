import { expect, it } from "vitest";
import { createScriptedModel } from "../../model/testing/scripted-model.ts";
import { readyProjects } from "./ready-projects.ts";

const models = [createScriptedModel({ script: [] })];

it.each([
  ["no project", {}, "projects is empty: name at least one, such as { default: { models: [model] } }."],
  [
    "an id that an address cannot hold",
    { "a/b": { models } },
    `projects["a/b"]: a project's id is a part of addresses; use 1 to 64 of the characters A-Z a-z 0-9 . _ ~ -`,
  ],
  [
    "a secret that can be guessed",
    { shop: { models, secret: "fifteen letters" } },
    `projects["shop"].secret is too short: anyone who guesses it can sign in as any visitor. Leave it out, or give it at least 16 random characters.`,
  ],
  ["no model", { shop: { models: [] } }, `projects["shop"].models is empty: a project needs a model that answers.`],
  [
    "a model that is none of its own",
    { shop: { models, model: "other" } },
    `projects["shop"].model is "other", but its models are scripted.`,
  ],
  [
    "an origin that is none",
    { shop: { models, allowedOrigins: ["shop.example"] } },
    `projects["shop"].allowedOrigins holds "shop.example": write an origin, such as https://shop.example`,
  ],
  [
    "claims without the secret of the tokens that they come with",
    { shop: { models, shareClaims: ["plan"] } },
    `projects["shop"].shareClaims needs projects["shop"].secret: claims come with the host's tokens, which it verifies, or by the option identify.`,
  ],
  [
    "a view that there is not",
    { shop: { models, toolViews: { stock: "some" as "name" } } },
    `projects["shop"].toolViews.stock is "some": write all, args, name, hidden.`,
  ],
  [
    "an entry of approve that names no tool",
    { shop: { models, approve: ["shop/*", "shop/"] } },
    `projects["shop"].approve holds "shop/": write a tool, such as cancel_order, or <mcp server>/<tool>, with * for any text.`,
  ],
  [
    "a version of the consent that no visitor could agree to",
    { shop: { models, config: { consent: { text: "Согласие", version: "" } } } },
    `projects["shop"].config.consent.version is "": write 1 to 200 characters.`,
  ],
  [
    "a consent without a version, as JavaScript may have it",
    { shop: { models, config: { consent: { text: "Согласие" } as never } } },
    `projects["shop"].config.consent.version is undefined: write 1 to 200 characters.`,
  ],
  [
    "a version of the consent that is a number",
    { shop: { models, config: { consent: { text: "Согласие", version: 2026 as never } } } },
    `projects["shop"].config.consent.version is 2026: write 1 to 200 characters.`,
  ],
  [
    "a limit below nothing",
    { shop: { models, limits: { threads: -1 } } },
    `projects["shop"].limits.threads is -1: write a number above 0, or null for no limit.`,
  ],
  [
    "a limit of nothing at all",
    { shop: { models, limits: { toolMs: 0 } } },
    `projects["shop"].limits.toolMs is 0: write a number above 0, or null for no limit.`,
  ],
])("A library's projects are refused with a sentence that names them: %s", (_, projects, sentence) => {
  expect(() => readyProjects(projects)).toThrow(new TypeError(sentence));
});
