/** A React page in development: StrictMode mounts every component twice, and routes come and go. */
import { StrictMode, createElement, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

function Chat() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return undefined;
    const handle = window.Nitka.init({ target: place.current, routing: "none" });
    return () => handle.destroy();
  }, []);
  return createElement("div", { ref: place, style: { height: "40rem" } });
}

function Page() {
  const [route, setRoute] = useState<"chat" | "prices">("chat");
  const link = (name: typeof route) => createElement("button", { type: "button", onClick: () => setRoute(name) }, name);
  return createElement("main", {}, link("chat"), link("prices"), route === "chat" ? createElement(Chat) : "Цены");
}

const root = document.querySelector("#root");
if (root) createRoot(root).render(createElement(StrictMode, {}, createElement(Page)));
