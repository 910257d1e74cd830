import type { Thread } from "@nitka/protocol";
import { ask } from "./ask-route.ts";
import type { ChatRoute } from "./ask-route.ts";
import { nothing, readPosted, renameRequest } from "./posted-body.ts";
import { Refusal } from "./refusal.ts";
import type { ThreadStorage } from "./thread-storage.ts";
import { createVisitorCookie } from "./visitor-cookie.ts";

export type NitkaRoutesOptions = { readonly storage: ThreadStorage } & (
  | {
      /**
       * Signs the cookie that identifies a browser: at least 16 random characters, the same in every process. With
       * several secrets, the first one signs and all of them verify.
       */
      readonly secret: string | readonly string[];
    }
  | {
      /** Returns the id of the host's own visitor, who is signed in; `undefined` refuses the request. */
      readonly identify: (request: Request) => string | undefined | Promise<string | undefined>;
    }
);

/**
 * The seven operations of the widget in front of a route that does not know them, as one handler of GET and POST. The
 * route gets the request's own headers, and the branch of the conversation that leads to the question.
 */
export function createNitkaRoutes(
  route: ChatRoute,
  options: NitkaRoutesOptions,
): (request: Request) => Promise<Response> {
  const { storage } = options;
  const identify = createIdentify(options);

  async function operate(request: Request): Promise<Response> {
    const [, path = ""] = /\/api\/((?:projects|debug)\/.+)$/.exec(new URL(request.url).pathname) ?? [];
    const operation = `${request.method} ${path}`;
    const visitor = await identify(request);
    if (/^GET projects\/[^/]+\/config$/.test(operation)) return json({ apiBase: "./" }, await visitor.credential());
    if (operation === "GET debug/threads") return json(await storage.list(visitor.id));
    if (operation === "POST debug/threads") {
      await readPosted(request, nothing);
      const thread: Thread = { threadId: crypto.randomUUID(), title: "", updatedAt: new Date().toISOString() };
      await storage.create(visitor.id, thread);
      return json(thread, await visitor.credential());
    }

    const [, threadId = "", action] = /^debug\/threads\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const thread = await storage.read(visitor.id, threadId);
    if (!thread) throw new Refusal("not_found", "There is no such thread.");
    switch (`${request.method} ${action}`) {
      case "GET messages":
        return json(thread.messages);
      case "POST rename": {
        const { title } = await readPosted(request, renameRequest);
        await storage.change(visitor.id, threadId, { title });
        return json({});
      }
      case "POST archive":
        await readPosted(request, nothing);
        await storage.delete(visitor.id, threadId);
        return json({});
      case "POST run/stream":
        return ask(route, request, thread, (changes) => storage.change(visitor.id, threadId, changes));
      default:
        throw new Refusal("not_found", "There is no such operation.");
    }
  }

  return async function handle(request) {
    try {
      return await operate(request);
    } catch (error) {
      if (error instanceof Refusal) return error.toResponse();
      throw error;
    }
  };
}

interface RouteVisitor {
  readonly id: string;
  /** The headers that store a new visitor in the browser, or extend a known one. */
  readonly credential: () => Promise<Readonly<Record<string, string>>>;
}

function createIdentify(options: NitkaRoutesOptions): (request: Request) => Promise<RouteVisitor> {
  if ("identify" in options) {
    return async (request) => {
      const id = await options.identify(request);
      if (!id) throw new Refusal("unauthorized", "The visitor is not signed in.");
      return { id, credential: async () => ({}) };
    };
  }
  const cookie = createVisitorCookie([options.secret].flat());
  return async (request) => {
    const id = (await cookie.read(request)) ?? crypto.randomUUID();
    return { id, credential: async () => ({ "set-cookie": await cookie.write(id, request) }) };
  };
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { headers: { "cache-control": "no-store", ...headers } });
}
