import { act } from "react";
import { expect, test } from "vitest";
import { ErrorBoundary } from "../primitives/error-boundary.tsx";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { Sidebar, SidebarProvider } from "./sidebar.tsx";

const sidebar = (
  <SidebarProvider>
    <Sidebar />
  </SidebarProvider>
);

test("the sidebar throws an internal error outside its provider", () => {
  const errors: unknown[] = [];
  const chat = renderChat(
    <ErrorBoundary onError={(error) => errors.push(error)} fallback={(error) => error.message}>
      <Sidebar />
    </ErrorBoundary>,
  );
  expect(errors).toEqual([expect.objectContaining({ name: "InternalError" })]);
  expect(chat.root.textContent).toBe("useSidebar was called outside SidebarProvider.");
  chat.unmount();
});

test("the product's link opens in a new tab, with the product's own title or the config's", () => {
  const chat = renderChat(sidebar);
  const link = chat.root.querySelector<HTMLAnchorElement>(".product-link");
  expect([link?.target, link?.getAttribute("href"), link?.querySelector(".sidebar-label")?.textContent]).toEqual([
    "_blank",
    "/",
    "Nitka",
  ]);
  chat.set((state) => ({ ...state, config: { title: "Лавка", titleUrl: "https://shop.example/" } }));
  expect([link?.getAttribute("href"), link?.querySelector(".sidebar-label")?.textContent]).toEqual([
    "https://shop.example/",
    "Лавка",
  ]);
  chat.unmount();
});

test("the feedback link leads to the product's bot or the config's address, or is left out", () => {
  const chat = renderChat(sidebar);
  const link = () => chat.root.querySelector(".feedback-link")?.getAttribute("href");
  expect(link()).toBe("https://t.me/nitka_feedback_bot");
  chat.set((state) => ({ ...state, config: { feedbackUrl: "https://t.me/shop_bot" } }));
  expect(link()).toBe("https://t.me/shop_bot");
  chat.set((state) => ({ ...state, config: { feedbackUrl: false } }));
  expect(link()).toBeUndefined();
  chat.unmount();
});

test("an address of the config with a forbidden scheme is no link", () => {
  const chat = renderChat(sidebar, { config: { titleUrl: "javascript:alert(1)", feedbackUrl: "data:text/html,<p>" } });
  expect([chat.root.querySelectorAll("a").length, chat.root.querySelector(".product-link")?.textContent]).toEqual([
    0,
    "Nitka",
  ]);
  expect(chat.root.querySelector(".feedback-link")).toBeNull();
  chat.unmount();
});

test("«Новый чат» creates a thread, and shows below itself that this failed", () => {
  const chat = renderChat(sidebar, withConversation({}));
  act(() => chat.root.querySelector<HTMLElement>(".new-chat")?.click());
  expect(chat.asked).toEqual([["newThread"]]);
  const failure = { kind: "network", detail: "" } as const;
  chat.set((state) => ({ ...state, threads: { ...state.threads, createFailure: failure } }));
  act(() => chat.root.querySelector<HTMLElement>(".failure-note .button")?.click());
  expect(chat.asked).toEqual([["newThread"], ["newThread"]]);
  chat.unmount();
});

test("the list of a collapsed sidebar is inert", () => {
  const chat = renderChat(sidebar, {
    ...withConversation({}),
    sidebar: { open: false, sheetOpen: false, compact: false },
  });
  expect(chat.root.querySelector(".sidebar-list")?.hasAttribute("inert")).toBe(true);
  chat.unmount();
});
