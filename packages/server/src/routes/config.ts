import { configOf } from "../services/projects/config-service.ts";
import type { VisitorCredentials } from "../http/visitor-credentials.ts";
import { operation } from "./operation.ts";
import type { AnyOperation } from "./operation.ts";
import { config } from "./wire-schemas.ts";

export function configOperations(visitors: VisitorCredentials): readonly AnyOperation[] {
  return [
    operation({
      name: "getConfig",
      method: "GET",
      path: "/api/projects/:id/config",
      summary: "The project's settings for the widget. Gives a new visitor a credential.",
      takes: "nothing",
      responses: { 200: { description: "the config", schema: config } },
      admitsNewVisitors: true,
      async handle({ project, visitor, crossSite, underProjectPath }) {
        // A script of the page can steal a token but cannot read the cookie, so no token is sent where the cookie
        // works. A visitor whom the host identifies gets no token either, since they send the host's own.
        const needsToken = visitor.by === "token" || (crossSite && visitor.by !== "host");
        const token = needsToken ? visitors.token(visitor.visitorId, project) : undefined;
        const named = visitor.by === "host" ? visitors.mark(visitor.visitorId, project) : undefined;
        return { type: "json", value: configOf(project, { underProjectPath, token, named }) };
      },
    }),
  ];
}
