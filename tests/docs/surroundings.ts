import type { Surroundings } from "./check-types.ts";

/** The server that a section mounts. */
const chat = 'import type { ChatServer } from "@nitka/server"; declare const chat: ChatServer;';

/** The functions that Google's and Yandex' own scripts define. */
const analytics = "declare function gtag(...values: unknown[]): void; declare function ym(...values: unknown[]): void;";

/** The code around blocks that are not whole files, by `document#heading:index`. */
export const surroundings: Readonly<Record<string, Surroundings>> = {
  "docs/embedding.md#Events:0": { before: analytics },
  "docs/ru/embedding.md#Яндекс Метрика и Google Analytics:0": { before: analytics },
  "docs/library.md#createChatServer:0": { before: "declare const model: string, baseUrl: string, apiKey: string;" },
  "docs/library.md#Express middleware:1": { before: chat },
  "docs/library.md#Fastify:1": { before: chat },
  "docs/ru/library.md#Express:1": { before: chat },
  "docs/ru/library.md#Fastify:1": { before: chat },
  "docs/ru/library.md#createChatServer:0": { before: "declare const model: string, baseUrl: string, apiKey: string;" },
  "docs/extending.md#Data parts:0": {
    before: `
      import { createOpenAiCompatibleModel } from "@nitka/server/openai-compatible";
      import { tool } from "ai";
      import { z } from "zod";
      declare function placeOrder(product: string, asker: unknown): Promise<void>;`,
  },
  "docs/extending.md#A search of your own:0": {
    before: `import { createChatServer } from "@nitka/server";
      import type { Knowledge, Model, Storage } from "@nitka/server";
      declare const index: { search(query: string, options: { limit: number; signal: AbortSignal }): Promise<readonly { page: { title: string; url: string; anchor: string }; text: string; score: number }[]> };
      declare const models: readonly Model[];
      declare const storage: Storage;
      declare const secret: string;`,
  },
  "docs/extending.md#Who asks:0": { before: 'import { SignJWT } from "jose";' },
  "docs/extending.md#useChat in place of the widget:1": {
    before: `
      import type { UIMessage } from "ai";
      declare const threadId: string, history: ShopMessage[];`,
  },
  "docs/extending.md#The widget on a route of the AI SDK:0": {
    before: `import type { ChatRoute } from "@nitka/ai-sdk/routes"; declare const answer: ChatRoute;`,
  },
  "docs/extending.md#The widget on a route of the AI SDK:1": {
    before: `import type { ThreadStorage } from "@nitka/ai-sdk/routes"; declare const storage: ThreadStorage;`,
  },
  "docs/recipes/add-a-model.md#Add a model:1": {
    before: `
      import type { StreamEvent } from "@nitka/protocol";
      import type { RunVisitor } from "@nitka/server";
      async function* run(visitor: RunVisitor): AsyncGenerator<StreamEvent> {
      const call = { toolCallId: "1", toolName: "order", input: {} };`,
    after: "}",
  },
  "examples/next-route/README.md#In a Next application:0": {
    before:
      'import "@nitka/widget/jsx"; declare const Script: (props: { src: string; strategy: string }) => null; const page = <>',
    after: "</>",
  },
};
