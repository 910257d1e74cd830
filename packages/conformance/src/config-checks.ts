import type { ServerConfig } from "@nitka/protocol";
import type { Section } from "./check.ts";
import { demand, excerpt } from "./nonconformance.ts";
import { parsed } from "./session.ts";
import { configForm } from "./wire-forms.ts";

/** An origin that no project lists. */
const FOREIGN_ORIGIN = "https://conformance.invalid";

export const configChecks: Section = {
  name: "Config",
  checks: [
    {
      title: "the config is a JSON object, and its fields have the protocol's types",
      rule: "the config; every field is optional",
      run: async (session) => {
        const config = parsed(await session.visitor.send("GET", session.configUrl()), configForm);
        session.useConfig(config as ServerConfig);
      },
    },
    {
      title: "each feature is announced by true or false",
      rule: "A backend announces these operations in its config's `features`",
      run: async (session) => {
        const wrong = Object.entries(session.config.features ?? {}).find(([, value]) => typeof value !== "boolean");
        demand(
          wrong === undefined,
          `GET ${session.configUrl().href}`,
          "true or false",
          wrong ? `features.${wrong[0]}: ${JSON.stringify(wrong[1])}` : "",
        );
      },
    },
    {
      title: "a site that is not allowed cannot read a visitor's conversations",
      rule: "A response names an `Origin` with `Access-Control-Allow-Credentials` only if the host's sites include it.",
      run: async (session) => {
        const headers = { origin: FOREIGN_ORIGIN };
        const { request, headers: got } = await session.visitor.send("GET", session.url("api/debug/threads"), {
          headers,
        });
        const allowed = got.get("access-control-allow-origin");
        const isOpen = allowed === FOREIGN_ORIGIN && got.get("access-control-allow-credentials") === "true";
        demand(
          !isOpen,
          `${request} with Origin: ${FOREIGN_ORIGIN}`,
          "no Access-Control-Allow-Origin for that site",
          `Access-Control-Allow-Origin: ${allowed}, with Access-Control-Allow-Credentials: true`,
        );
      },
    },
    {
      title: "an unknown path does not return a page",
      rule: "`not_found`: does not exist, or belongs to another visitor",
      level: "advice",
      run: async (session) => {
        const { request, status, text } = await session.visitor.send("GET", session.url("api/debug/no-such-operation"));
        demand(status >= 400 && status < 500, request, "404", `${status}: ${excerpt(text)}`);
      },
    },
  ],
};
