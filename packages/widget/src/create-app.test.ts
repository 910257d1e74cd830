import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectOptions } from "./connect-options.ts";
import { createApp } from "./create-app.tsx";
import { readOptions } from "./options.ts";

const key = `nitka:visitor:default@https://chat.example/`;

/** The requests of the page, and the response to the config's. */
let calls: string[] = [];
let config = Promise.withResolvers<Response>();

beforeEach(() => {
  calls = [];
  config = Promise.withResolvers();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    calls.push(`${init.method ?? "GET"} ${new URL(url).pathname}`);
    if (!url.endsWith("/config")) return Response.json([]);
    init.signal?.addEventListener("abort", () => config.reject(init.signal?.reason));
    return config.promise;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("a widget that is destroyed while its config is loading", () => {
  it("makes no request, renders nothing, emits nothing, and keeps the visitor's token", async () => {
    localStorage.setItem(key, "kept");
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    const controller = new AbortController();
    const told: unknown[] = [];
    const address = location.href;
    const options = readOptions({}, { scriptUrl: "https://chat.example/widget/nitka.js", pageUrl: location.href });
    const visitorToken = () => undefined;
    const { signal } = controller;
    const app = createApp({
      host,
      root,
      stylesheets: { shell: () => Promise.resolve(), answers: () => Promise.resolve() },
      options,
      signal,
      visitorToken,
      connectOptions: connectOptions({ options, signal, visitorToken }),
      pageOffer: () => ({}),
      restart: () => undefined,
      ownsAddress: true,
      emit: (event) => told.push(event),
    });
    await expect.poll(() => calls).toHaveLength(1);
    controller.abort();
    await expect(app).rejects.toBe(controller.signal.reason);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect({ calls, told, shells: root.childElementCount, address: location.href }).toEqual({
      calls: ["GET /api/projects/default/config"],
      told: [],
      shells: 0,
      address,
    });
    expect(localStorage.getItem(key)).toBe("kept");
  });
});
