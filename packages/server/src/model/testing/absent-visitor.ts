import type { RunVisitor } from "../run-visitor.ts";

/** A visitor for tests of models: their page has no tools, no call needs their approval, and they never answer. */
export const absentVisitor: RunVisitor = {
  tools: [],
  reportTools: () => undefined,
  mustApprove: () => false,
  approve: async function* approve({ toolCallId }) {
    yield { type: "tool-approval-request", toolCallId, approvalId: toolCallId };
    yield { type: "tool-output-denied", toolCallId };
    return { type: "expired", waitedMs: 0 };
  },
  runOnPage: async function* runOnPage(call) {
    yield { type: "data-tool-request", ...call };
    return { type: "expired", waitedMs: 0 };
  },
  reportHidden: () => undefined,
};
