import { expect, it } from "vitest";
import { watchConnection } from "./watch-connection.ts";

/** A widget on the page, and what it does. */
function watching() {
  const called: string[] = [];
  const widget = new AbortController();
  const actions = {
    refresh: () => Promise.resolve(void called.push("refresh")),
    reconnect: () => void called.push("reconnect"),
    setOffline: () => undefined,
  };
  watchConnection(actions, widget.signal);
  return { called, widget };
}

it("a device that is online again reconnects and refreshes, until the widget ends", () => {
  const { called, widget } = watching();
  window.dispatchEvent(new Event("online"));
  expect(called).toEqual(["reconnect", "refresh"]);
  widget.abort();
  window.dispatchEvent(new Event("online"));
  expect(called).toHaveLength(2);
});

it("a page that returns from the back/forward cache does too, and not one that has just loaded", () => {
  const { called, widget } = watching();
  const returns = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
  returns(false);
  expect(called).toEqual([]);
  returns(true);
  expect(called).toEqual(["reconnect", "refresh"]);
  widget.abort();
});
