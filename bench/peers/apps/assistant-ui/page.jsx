// assistant-ui.com/docs: its runtime for the AI SDK, and a thread of its primitives.
import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } from "@assistant-ui/react";
import { AssistantChatTransport, useChatRuntime } from "@assistant-ui/react-ai-sdk";
import { MarkdownTextPrimitive } from "@assistant-ui/react-markdown";
import { createRoot } from "react-dom/client";
import remarkGfm from "remark-gfm";

const plugins = [remarkGfm];
const transport = new AssistantChatTransport({ api: "/api/chat" });
const history = location.search === "?long" ? await (await fetch("/api/history")).json() : [];
const initial = history.map(({ id, role, content }) => ({ id, role, parts: [{ type: "text", text: content }] }));

createRoot(document.querySelector("#root")).render(<App />);

function App() {
  const runtime = useChatRuntime({ transport, messages: initial });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root style={{ font: "16px/26px sans-serif" }}>
        <ThreadPrimitive.Viewport style={{ height: 760, overflow: "auto" }}>
          <div style={{ maxWidth: 704, margin: "auto" }}>
            <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
          </div>
        </ThreadPrimitive.Viewport>
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input placeholder="Write a message..." />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

function UserMessage() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts />
    </MessagePrimitive.Root>
  );
}

function AssistantMessage() {
  return (
    <MessagePrimitive.Root>
      <MessagePrimitive.Parts components={{ Text: MarkdownText }} />
    </MessagePrimitive.Root>
  );
}

function MarkdownText() {
  return <MarkdownTextPrimitive remarkPlugins={plugins} />;
}
