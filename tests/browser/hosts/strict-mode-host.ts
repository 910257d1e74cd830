/** A React page in development: StrictMode mounts every component twice, and the route changes. */
import { StrictMode, createElement, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

function Chat() {
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!place) return undefined;
    const handle = window.Nitka.init({ target: place, routing: "none" });
    return () => handle.destroy();
  }, [place]);
  return createElement("div", { ref: setPlace, style: { height: "40rem" } });
}

function Page() {
  const [route, setRoute] = useState<"chat" | "prices">("chat");
  const link = (name: typeof route) => createElement("button", { type: "button", onClick: () => setRoute(name) }, name);
  return createElement("main", {}, link("chat"), link("prices"), route === "chat" ? createElement(Chat) : "Цены");
}

const root = document.querySelector("#root");
if (root) createRoot(root).render(createElement(StrictMode, {}, createElement(Page)));
