/** The widget's operations under `/nitka`, in front of the route of the AI SDK. */
import { createNitkaRoutes } from "@nitka/ai-sdk/routes";
import { openSqliteThreads } from "../../../sqlite-threads.ts";
import { POST as answer } from "../../api/chat/route.ts";

const handle = createNitkaRoutes(answer, {
  storage: openSqliteThreads(process.env["CHAT_DATABASE"] ?? "chat.db"),
  secret: process.env["CHAT_SECRET"] ?? "",
});

export { handle as GET, handle as POST };
