/** What the page adds to a question: its context and its tools. What cannot be sent is left out and reported. */
import type { PageTool, RunRequest, ServerConfig } from "@nitka/protocol";
import { MAX_PAGE_CONTEXT_CHARS } from "@nitka/protocol/page-tool";
import { PAGE_CONTEXT_TIMEOUT_MS } from "../../timings.ts";
import type { ActionContext } from "../action-context.ts";
import type { PageOffer } from "./page-offer.ts";
import { plainJson, reasonOf } from "./plain-json.ts";

interface ReadPageOptions {
  readonly offer: PageOffer;
  readonly features: ServerConfig["features"];
  readonly after: ActionContext["after"];
  readonly report: (error: Error) => void;
}

/** Reads what the page offers, as far as the backend supports it. Never rejects. */
export async function readPage(options: ReadPageOptions): Promise<Pick<RunRequest, "pageContext" | "tools">> {
  const { offer, features = {}, report } = options;
  const pageContext = features.pageContext ? await contextOf(options) : undefined;
  const tools = features.clientTools && offer.tools ? declarationsOf(offer.tools, report) : [];
  return { ...(pageContext !== undefined && { pageContext }), ...(tools.length > 0 && { tools }) };
}

async function contextOf({ offer, after, report }: ReadPageOptions): Promise<unknown> {
  const { pageContext } = offer;
  const late = Promise.withResolvers<never>();
  const seconds = PAGE_CONTEXT_TIMEOUT_MS / 1000;
  const clear = after(PAGE_CONTEXT_TIMEOUT_MS, () => late.reject(new Error(`it took longer than ${seconds} s`)));
  try {
    const value: unknown = await Promise.race([
      typeof pageContext === "function" ? (pageContext as () => unknown)() : pageContext,
      late.promise,
    ]);
    if (value === undefined || value === null) return undefined;
    const json = plainJson(value);
    if (json.length > MAX_PAGE_CONTEXT_CHARS) {
      throw new Error(`it has ${json.length} characters as JSON, and at most ${MAX_PAGE_CONTEXT_CHARS} are allowed`);
    }
    // This is a copy, because the page may change its object while the question waits for the network.
    return JSON.parse(json);
  } catch (cause) {
    report(new Error(`Nitka: pageContext is left out of the question: ${reasonOf(cause)}.`, { cause }));
    return undefined;
  } finally {
    clear();
  }
}

function declarationsOf(tools: NonNullable<PageOffer["tools"]>, report: (error: Error) => void): readonly PageTool[] {
  return Object.entries(tools).flatMap(([name, { description, parameters }]) => {
    try {
      return { name, description, parameters: JSON.parse(plainJson(parameters)) as PageTool["parameters"] };
    } catch (cause) {
      report(
        new Error(
          `Nitka: the tool "${name}" is left out of the question: tools.${name}.parameters: ${reasonOf(cause)}.`,
          {
            cause,
          },
        ),
      );
      return [];
    }
  });
}
