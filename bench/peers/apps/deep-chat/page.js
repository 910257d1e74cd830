// deepchat.dev/docs/connect: the component, a service that streams, and a history.
import "deep-chat";

const chat = document.createElement("deep-chat");
chat.style.cssText = "width: 100%; height: 760px";
chat.connect = { url: "/api/deep-chat", stream: true };
if (location.search === "?long") {
  const messages = await (await fetch("/api/history")).json();
  chat.history = messages.map(({ role, content }) => ({ role: role === "user" ? "user" : "ai", text: content }));
}
document.body.append(chat);
