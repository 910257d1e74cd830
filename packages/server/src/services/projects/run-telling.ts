/** What a project's webhooks are told when runs end and budgets are used up. */
import { textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import type { SpentTelling } from "../../storage/usage.ts";
import type { RunTelling } from "../../storage/webhooks.ts";
import { webhooksFor } from "../webhooks/telling.ts";
import type { Webhook } from "../webhooks/webhook.ts";
import type { Limits } from "./project.ts";
import { tokenBudget } from "./token-budget.ts";

/** The part of a project that decides what its webhooks are told. */
export interface ToldProject {
  readonly id: string;
  readonly limits: Limits;
  readonly webhooks: readonly Webhook[];
}

/** The webhooks that hear of the end of a question's run; `undefined` where none is. */
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

/** Which webhooks are told when a budget of the project is used up; `undefined` where none is, or there is no budget. */
export function spentTelling({ id, limits, webhooks }: ToldProject): SpentTelling | undefined {
  const urls = webhooksFor(webhooks, "budget.spent").map(({ url }) => url);
  const budget = urls.length === 0 ? undefined : tokenBudget(limits);
  return budget && { projectId: id, urls, budget };
}
