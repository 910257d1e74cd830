import { afterEach, expect, it, vi } from "vitest";
import { watchConnection } from "./watch-connection.ts";

afterEach(() => vi.restoreAllMocks());

it("a visitor who comes back to the page gets a refresh, until the widget ends", () => {
  const called: string[] = [];
  const widget = new AbortController();
  const refresh = () => Promise.resolve(void called.push("refresh"));
  watchConnection({ refresh, reconnect: () => called.push("reconnect"), setOffline: () => undefined }, widget.signal);
  const hidden = vi.spyOn(document, "hidden", "get");
  const comeBack = () => {
    for (const isHidden of [true, false]) {
      hidden.mockReturnValue(isHidden);
      document.dispatchEvent(new Event("visibilitychange"));
    }
    window.dispatchEvent(new Event("focus"));
  };
  comeBack();
  expect(called).toEqual(["refresh", "refresh"]);
  widget.abort();
  comeBack();
  window.dispatchEvent(new Event("online"));
  expect(called).toHaveLength(2);
});
