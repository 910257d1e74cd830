/** Nitka as a route handler of Next: put this file at `app/chat/[...path]/route.ts`, and `lib/chat.ts` beside `app`. */
import { openedChat } from "../../../lib/chat.ts";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

async function answer(request: Request): Promise<Response> {
  const chat = await openedChat();
  return chat.fetch(request);
}

export { answer as DELETE, answer as GET, answer as HEAD, answer as OPTIONS, answer as POST, answer as PUT };
