import { visitorRoute } from "@nitka/protocol/routes";
import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

/** Erases all threads and files of the visitor on the backend. Rejects if that fails. */
export async function eraseVisitor(api: Api): Promise<void> {
  await request(api, visitorRoute, { method: "DELETE" });
}
