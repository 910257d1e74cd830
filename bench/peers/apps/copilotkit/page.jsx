// docs.copilotkit.ai/react-spa: the chat of its current interface, with its runtime on the same origin.
import "@copilotkit/react-core/v2/styles.css";
import { CopilotChat, CopilotKit } from "@copilotkit/react-core/v2";
import { createRoot } from "react-dom/client";

// A chat with the id of a conversation loads it.
const thread = location.search === "?long" ? { threadId: "long" } : {};

const root = document.querySelector("#root");
root.style.height = "760px";

createRoot(root).render(
  <CopilotKit runtimeUrl="/api/copilotkit" showDevConsole={false}>
    <CopilotChat {...thread} />
  </CopilotKit>,
);
