import type { Message } from "./message.ts";

export type RunTrigger = "submit-message" | "regenerate-message";

/** A question as the visitor sends it. Its `id` is the idempotency key of the run that it begins. */
export type UserMessage = Message & { readonly role: "user" };

/** The body of the run call. To regenerate, the same user message is sent again with its trigger. */
export interface RunRequest {
  readonly messages: readonly [UserMessage];
  readonly trigger?: RunTrigger;
  readonly model?: string;
}
