import type { ServerConfig } from "@nitka/protocol";
import type { ReadyProject } from "./projects.ts";

/** The project that answers at the api base itself; every other one under `/p/{id}/`. */
export const DEFAULT_PROJECT = "default";

/**
 * What the config call answers.
 *
 * @param options.inside whether the call itself went under `/p/{id}/`: then the others do so without being told
 * @param options.token the visitor's credential where a cookie cannot be kept
 */
export function configOf(
  project: ReadyProject,
  options: { readonly inside: boolean; readonly token: string | undefined },
): ServerConfig {
  const models = [...project.models.values()].map(({ id, name }) => ({ id, name }));
  return {
    ...project.config,
    apiBase: project.id === DEFAULT_PROJECT || options.inside ? "./" : `./p/${project.id}/`,
    // A choice of one is none: the link then reads as the specification has it.
    ...(models.length > 1 ? { models, model: project.model.id } : {}),
    attachments: project.attachments ?? false,
    features: {
      resume: true,
      cancel: true,
      upload: project.attachments !== undefined,
      branch: true,
      erase: true,
      claim: project.secret !== undefined,
    },
    ...(options.token === undefined ? {} : { visitor: { token: options.token } }),
  };
}
