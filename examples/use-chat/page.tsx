import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { openThread } from "./open-thread.ts";
import type { OpenThread } from "./open-thread.ts";
import { ShopChat } from "./shop-chat.tsx";

function Page() {
  const [thread, setThread] = useState<OpenThread>();
  useEffect(() => {
    let gone = false;
    void openThread().then((opened) => gone || setThread(opened));
    return () => {
      gone = true;
    };
  }, []);
  return thread ? <ShopChat {...thread} /> : <p>Загружаю историю…</p>;
}

const root = document.querySelector("#root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
