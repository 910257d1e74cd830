/** The widget's operations under `/nitka`, in front of the route of the AI SDK. */
import { createNitkaRoutes } from "../../../nitka-routes.ts";
import { POST as answer } from "../../api/chat/route.ts";

const handle = createNitkaRoutes(answer);

export { handle as GET, handle as POST };
