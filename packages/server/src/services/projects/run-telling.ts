/** The events for a project's webhooks when runs end and budgets are used up. */
import { textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import type { SpentTelling } from "../../storage/usage.ts";
import type { RunTelling } from "../../storage/webhooks.ts";
import { webhooksFor } from "../webhooks/telling.ts";
import type { Webhook } from "../webhooks/webhook.ts";
import type { Limits } from "./project.ts";
import { tokenBudget } from "./token-budget.ts";

/** The fields of a project that determine the events for its webhooks. */
export interface ToldProject {
  readonly id: string;
  readonly limits: Limits;
  readonly webhooks: readonly Webhook[];
}

/** The webhooks to notify of the end of a question's run; `undefined` when there are none. */
export function runTelling(project: ToldProject, question: Message): RunTelling | undefined {
  const ended = webhooksFor(project.webhooks, "run.ended").map(({ url, texts = false }) => ({ url, texts }));
  const spent = spentTelling(project);
  if (ended.length === 0 && !spent) return undefined;
  return {
    ended,
    ...(ended.some(({ texts }) => texts) && { question: textOf(question) }),
    ...(spent && { spent }),
  };
}

/** The webhooks to notify when a budget of the project is used up; `undefined` when there are none, or no budget. */
export function spentTelling({ id, limits, webhooks }: ToldProject): SpentTelling | undefined {
  const urls = webhooksFor(webhooks, "budget.spent").map(({ url }) => url);
  const budget = urls.length === 0 ? undefined : tokenBudget(limits);
  return budget && { projectId: id, urls, budget };
}
