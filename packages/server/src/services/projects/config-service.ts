import type { ServerConfig } from "@nitka/protocol";
import type { ReadyProject } from "./ready-projects.ts";

/** The project whose operations have no prefix in their path. The operations of other projects are under `/p/{id}/`. */
export const DEFAULT_PROJECT = "default";

/**
 * The config for the widget.
 *
 * @param options.underProjectPath whether the request's own path begins with `/p/{id}/`: `apiBase` is relative to it
 * @param options.token the visitor's token, for browsers that send no cookie
 * @param options.named an opaque mark of the visitor whom the host identifies
 */
export function configOf(
  project: ReadyProject,
  options: {
    readonly underProjectPath: boolean;
    readonly token: string | undefined;
    readonly named: string | undefined;
  },
): ServerConfig {
  const { notice = {}, ...config } = project.config;
  const models = [...project.models.values()].map(({ id, name }) => ({ id, name }));
  return {
    ...config,
    ...(notice && { notice }),
    apiBase: project.id === DEFAULT_PROJECT || options.underProjectPath ? "./" : `./p/${project.id}/`,
    // With a single model there is no choice.
    ...(models.length > 1 ? { models, model: project.model.id } : {}),
    attachments: project.attachments ?? false,
    features: {
      resume: true,
      cancel: true,
      upload: project.attachments !== undefined,
      branch: true,
      erase: true,
      claim: project.secret !== undefined || options.named !== undefined,
      pageContext: true,
      feedback: true,
      restore: true,
      search: true,
      export: true,
      clientTools: [...project.models.values()].some(({ takesTools }) => takesTools !== false),
      approvals: true,
      consent: config.consent !== undefined,
    },
    ...(options.token === undefined ? {} : { visitor: { token: options.token } }),
    ...(options.named === undefined ? {} : { visitor: { named: options.named } }),
  };
}
