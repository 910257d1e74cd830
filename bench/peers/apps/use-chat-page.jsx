// ai-sdk.dev/docs/ai-sdk-ui/chatbot: its first example, with a component that renders the markdown of an answer.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const transport = new DefaultChatTransport({ api: "/api/chat" });

/** Shows the chat in a scroller that follows the answer. `Answer` renders a text. */
export async function showChat(Answer) {
  const history = location.search === "?long" ? await (await fetch("/api/history")).json() : [];
  const messages = history.map(({ id, role, content }) => ({ id, role, parts: [{ type: "text", text: content }] }));
  const root = document.querySelector("#root");
  createRoot(root).render(<Chat Answer={Answer} initial={messages} />);
}

function Chat({ Answer, initial }) {
  const { messages, sendMessage, status } = useChat({ transport, messages: initial });
  const [input, setInput] = useState("");
  return (
    <>
      <div ref={follow} style={{ height: 760, overflow: "auto", font: "16px/26px sans-serif" }}>
        <div style={{ maxWidth: 704, margin: "auto" }}>
          {messages.map((message) => (
            <div key={message.id}>
              {message.role === "user" ? "User: " : "AI: "}
              <Answer text={textOf(message)} />
            </div>
          ))}
        </div>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!input.trim()) return;
          void sendMessage({ text: input });
          setInput("");
        }}
      >
        <input value={input} onChange={(event) => setInput(event.target.value)} disabled={status !== "ready"} />
        <button type="submit" disabled={status !== "ready"}>
          Submit
        </button>
      </form>
    </>
  );
}

function textOf({ parts }) {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Keeps the end of the list in view. */
function follow(scroller) {
  const observer = new ResizeObserver(() => (scroller.scrollTop = scroller.scrollHeight));
  observer.observe(scroller.firstElementChild);
  return () => observer.disconnect();
}
