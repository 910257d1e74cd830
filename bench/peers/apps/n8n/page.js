// npmjs.com/package/@n8n/chat: the whole target is the chat, which streams.
import "@n8n/chat/style.css";
import { createChat } from "@n8n/chat";

document.querySelector("#root").style.height = "760px";

createChat({
  webhookUrl: `${location.origin}/api/n8n${location.search}`,
  target: "#root",
  mode: "fullscreen",
  enableStreaming: true,
});
