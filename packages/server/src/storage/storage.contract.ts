import { expect, it } from "vitest";
import { attachmentsContract, visitorsContract } from "./contract/visitors.contract.ts";
import { awaitedCallsContract } from "./contract/awaited-calls.contract.ts";
import { claimContract } from "./contract/claim.contract.ts";
import { deskContract } from "./contract/desk.contract.ts";
import { eventsContract } from "./contract/events.contract.ts";
import { filesContract } from "./contract/files.contract.ts";
import type { OpenStorage } from "./contract/fixture.contract.ts";
import { messagesContract } from "./contract/messages.contract.ts";
import { recoveryContract } from "./contract/recovery.contract.ts";
import { runsContract } from "./contract/runs.contract.ts";
import { searchContract } from "./contract/search.contract.ts";
import { threadsContract } from "./contract/threads.contract.ts";
import { unansweredContract } from "./contract/unanswered.contract.ts";
import { webhooksContract } from "./contract/webhooks.contract.ts";
import { usageContract } from "./contract/usage.contract.ts";

/** The promises of every storage. `open` gives a new, empty storage each time. */
export function storageContract(open: OpenStorage): void {
  threadsContract(open);
  messagesContract(open);
  runsContract(open);
  recoveryContract(open);
  eventsContract(open);
  attachmentsContract(open);
  filesContract(open);
  visitorsContract(open);
  claimContract(open);
  usageContract(open);
  awaitedCallsContract(open);
  deskContract(open);
  unansweredContract(open);
  searchContract(open);
  webhooksContract(open);

  it("answers a ping while it is open, but not after", async () => {
    const storage = await open();
    await storage.ping();
    await storage.close();
    await expect(storage.ping()).rejects.toThrow("destroyed");
  });
}
