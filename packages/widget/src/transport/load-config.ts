import type { ServerConfig } from "@nitka/protocol";
import type { ConfigRequest } from "./fetch-config.ts";
import { fetchConfig } from "./fetch-config.ts";
import { readConfig } from "./read-config.ts";

/** The project's config, or `undefined` after one warning. Rejects when the signal is aborted. */
export async function loadConfig(request: ConfigRequest): Promise<ServerConfig | undefined> {
  const answer = await fetchConfig(request);
  return answer && readConfig(answer);
}
