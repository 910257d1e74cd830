import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { NitkaChat } from "./nitka-chat.tsx";

function Page() {
  const [open, setOpen] = useState(true);
  return (
    <main>
      <button type="button" onClick={() => setOpen(!open)}>
        {open ? "Убрать чат" : "Вернуть чат"}
      </button>
      <div style={{ height: "40rem" }}>{open && <NitkaChat server="http://localhost:3000" routing="none" />}</div>
    </main>
  );
}

const root = document.querySelector("#root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
