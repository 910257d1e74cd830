import type { NitkaCommands } from "../options.ts";
import type { App } from "./app.ts";

export type Act<T> = (commands: NitkaCommands) => Promise<T>;

/** A call of the handle. It waits until the app has loaded. */
export interface Command {
  /** Runs it. Later calls do nothing. */
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
