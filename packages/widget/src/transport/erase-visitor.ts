import { routes } from "@nitka/protocol/routes";
import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

/** Erases all that the visitor has said and sent. Rejects when the backend cannot. */
export async function eraseVisitor(api: Api): Promise<void> {
  await request(api, routes.visitor(), { method: "DELETE" });
}
