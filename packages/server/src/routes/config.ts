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
      async handle({ project, visitor, inside }) {
        // A visitor whom the host names is named by the host's own token, which is not ours to give.
        const token = visitor.by === "host" ? undefined : visitors.token(visitor.visitorId, project);
        return { type: "json", value: configOf(project, { inside, token }) };
      },
    }),
  ];
}
