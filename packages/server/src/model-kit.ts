/**
 * Exports for packages that implement a model: the model's error, a clock that tests can replace, the rule for titles,
 * and the number of tokens that are reserved for an answer.
 */
export { sleep, systemClock } from "./model/clock.ts";
export type { Clock } from "./model/clock.ts";
export { parseTitle } from "./model/title.ts";
export { answerTokens } from "./model/prompt/prompt-chars.ts";
export { ModelError } from "./model/model.ts";
