import type { NitkaCommands } from "../options.ts";
import type { App } from "./app.ts";

export type Act<T> = (commands: NitkaCommands) => Promise<T>;

/** Something that the page wants to have done by a widget that may still be on its way. */
export interface Command {
  /** Has it done, once. */
  begin(app: App): void;
  hasBegun(): boolean;
  reject(reason: Error): void;
}

export function createCommand<T>(act: Act<T>, outcome: PromiseWithResolvers<T>): Command {
  let hasBegun = false;
  return {
    hasBegun: () => hasBegun,
    begin(app) {
      if (hasBegun) return;
      hasBegun = true;
      app.commands().then(act).then(outcome.resolve, outcome.reject);
    },
    reject: outcome.reject,
  };
}
