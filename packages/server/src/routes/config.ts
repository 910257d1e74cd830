import { configOf } from "../services/config-service.ts";
import type { Visitors } from "../http/visitor.ts";
import { operation } from "./operation.ts";
import type { AnyOperation } from "./operation.ts";
import { config } from "./wire.ts";

export function configOperations(visitors: Visitors): readonly AnyOperation[] {
  return [
    operation({
      name: "getConfig",
      method: "GET",
      path: "/api/projects/:id/config",
      summary: "What the widget needs to know of its project. Gives a new visitor their credential.",
      takes: "nothing",
      answers: { 200: { description: "the config", schema: config } },
      welcomesStrangers: true,
      async handle({ project, visitor, crossSite, inside }) {
        // Where the cookie is kept no script of the page can read it: a token beside it would be one to steal. A visitor
        // whom the host names is named by the host's own token, which is not ours to give.
        const needed = visitor.by === "token" || (crossSite && visitor.by !== "host");
        const token = needed ? visitors.token(visitor.visitorId, project) : undefined;
        return { type: "json", value: configOf(project, { inside, token }) };
      },
    }),
  ];
}
