import type { Conversation } from "./conversation.ts";
import type { Scenario } from "./scenario.ts";
import { attachments } from "./scenarios/attachments.ts";
import { drawing } from "./scenarios/drawing.ts";
import { essay } from "./scenarios/essay.ts";
import { failure } from "./scenarios/failure.ts";
import { fallback } from "./scenarios/fallback.ts";
import { arithmetic, count } from "./scenarios/numbers.ts";
import { shop } from "./scenarios/shop.ts";
import { code, list, table } from "./scenarios/pieces.ts";
import { markdown, showcase } from "./scenarios/showcase.ts";
import { siteSearch } from "./scenarios/site-search.ts";
import { smallTalk } from "./scenarios/small-talk.ts";
import { weather } from "./scenarios/weather.ts";

/** The scenarios from the most specific to the most general. The first match is used. */
const scenarios: readonly Scenario[] = [
  attachments,
  failure,
  shop,
  essay,
  weather,
  showcase,
  count,
  arithmetic,
  markdown,
  table,
  code,
  list,
  drawing,
  ...smallTalk,
  siteSearch,
];

/** The scenario for a question. */
export function scenarioFor(conversation: Conversation): Scenario {
  return scenarios.find((scenario) => scenario.matches(conversation)) ?? fallback;
}
