/** The compared chats: the widget and the peers, each on a page as its own documents show it. */

export interface Peer {
  /** The folder of its page below `apps`. Ours has none. */
  readonly folder?: string;
  readonly name: string;
  /** The npm packages that it consists of. */
  readonly packages: readonly string[];
  /** The element that contains the conversation, in its own tree or in its shadow root. */
  readonly host: string;
  readonly emptyPath: string;
  /** The page that opens with the conversation of 200 messages. */
  readonly longPath: string;
}

/** The widget, against which the others are compared. */
export const ours: Peer = {
  name: "Nitka",
  packages: [],
  host: "nitka-chat",
  emptyPath: "/c/empty",
  longPath: "/c/long",
};

export const peers: readonly Peer[] = [
  peer("deep-chat", "deep-chat", ["deep-chat"], "deep-chat"),
  peer("react-markdown", "react-markdown on useChat", ["react-markdown", "remark-gfm", "@ai-sdk/react", "ai", "react"]),
  peer("streamdown", "streamdown on useChat", ["streamdown", "@ai-sdk/react", "ai", "react"]),
  peer("assistant-ui", "assistant-ui", [
    "@assistant-ui/react",
    "@assistant-ui/react-ai-sdk",
    "@assistant-ui/react-markdown",
    "react",
  ]),
  peer("copilotkit", "CopilotKit", ["@copilotkit/react-core", "react"]),
  peer("n8n", "@n8n/chat", ["@n8n/chat"]),
];

/** The route that our server is compared with. */
export const aiSdkRoute = { folder: "ai-sdk-route", packages: ["ai", "@ai-sdk/openai-compatible"] };

/** The products that are left out, each with the reason. */
export const notMeasured: readonly (readonly [name: string, reason: string])[] = [
  ["The newest assistant-ui", "0.15.22 needs packages that are not in the registry yet."],
  ["Chats with a service of their own", "typebot, flowise, botpress and the like do not run on a scripted server."],
  ["A real network and a telephone", "bytes and a slowed processor stand for them."],
  ["Memory, and other browsers than Chromium", "`npm run bench:front` measures the widget's memory."],
];

function peer(folder: string, name: string, packages: readonly string[], host = "body"): Peer {
  const path = `/pages/${folder}/`;
  return { folder, name, packages, host, emptyPath: path, longPath: `${path}?long` };
}
