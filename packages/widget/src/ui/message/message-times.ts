import type { Message } from "@nitka/protocol";
import type { ComponentType } from "react";
import type { TimeTexts } from "./time-texts.ts";

/** The views of times, which load after the messages, and the texts that they share. */
export interface MessageTimes {
  readonly texts: TimeTexts;
  readonly MessageTime: ComponentType<{
    readonly id: string;
    readonly threadId: string;
    readonly message: Message;
    readonly texts: TimeTexts;
  }>;
  readonly DayLine: ComponentType<{
    readonly threadId: string;
    readonly message: Message;
    readonly before: Message | undefined;
    readonly texts: TimeTexts;
  }>;
}
