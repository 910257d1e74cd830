/** Finds the differences of a backend with a fault, for the tests of the checks. */
import { afterEach, expect } from "vitest";
import { runConformance, sections } from "./run-conformance.ts";
import type { Outcome } from "./run-conformance.ts";
import type { SessionOptions } from "./session.ts";
import type { Fault, TestBackend } from "./test-backend.contract.ts";
import { startTestBackend } from "./test-backend.contract.ts";

export const isStream = /^POST .*run\/stream$/;

export interface FaultFinder {
  /** Runs the checks on a backend with this fault. Returns the outcomes that do not hold. */
  readonly differences: (
    fault?: Fault,
    names?: readonly string[],
    options?: Partial<SessionOptions>,
  ) => Promise<readonly Outcome[]>;
  /** The titles of the failed checks. */
  readonly failures: (
    fault: Fault,
    names: readonly string[],
    options?: Partial<SessionOptions>,
  ) => Promise<readonly string[]>;
}

/** Starts a backend for each call, and closes it after the test. */
export function faultFinder(): FaultFinder {
  const backends: TestBackend[] = [];
  afterEach(async () => {
    for (const backend of backends.splice(0)) await backend.close();
  });

  const differences: FaultFinder["differences"] = async (fault, names = [], options = {}) => {
    const backend = await startTestBackend(fault);
    backends.push(backend);
    const chosen = sections.filter(({ name }) => names.length === 0 || ["Config", ...names].includes(name));
    const session = { proxyUrl: backend.proxyUrl, projectId: "default", ...options };
    const { outcomes, leftovers } = await runConformance(session, undefined, chosen);
    expect(leftovers).toEqual([]);
    return outcomes.filter(({ status }) => status !== "holds");
  };
  return {
    differences,
    failures: async (fault, names, options) => {
      const outcomes = await differences(fault, names, options);
      return outcomes.filter(({ status }) => status === "fails").map(({ title }) => title);
    },
  };
}

/** Changes the text of responses to requests whose method and path match. */
export function changes(pattern: RegExp, change: (text: string) => string, status?: number): Fault {
  return async (request, respond) => {
    const response = await respond(request);
    if (!pattern.test(`${request.method} ${new URL(request.url).pathname}`)) return response;
    const text = change(await response.text());
    return new Response(text, { status: status ?? response.status, headers: response.headers });
  };
}

/** Changes the headers of responses to requests whose method and path match. */
export function changesHeaders(pattern: RegExp, change: (headers: Headers, status: number) => void): Fault {
  return async (request, respond) => {
    const response = await respond(request);
    if (!pattern.test(`${request.method} ${new URL(request.url).pathname}`)) return response;
    const headers = new Headers(response.headers);
    change(headers, response.status);
    return new Response(response.body, { status: response.status, headers });
  };
}
