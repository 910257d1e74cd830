import { expect, it } from "vitest";
import { threadOpener } from "@nitka/server/test-kit";
import { DeskClient, deskOf } from "../desk-client.contract.ts";

const { openThread } = threadOpener();

it("the desk reports the state of the sites' pages, and the questions that they did not answer", async () => {
  const { storage } = await openThread();
  const owner = { projectId: "default", visitorId: "anna" };
  const at = new Date().toISOString();
  await storage.threads.create(owner, { threadId: "t9", updatedAt: at });
  const entry = {
    threadId: "t9",
    messageId: "m9",
    question: "Где вы?",
    reason: "nothing_found",
    at,
    passages: [],
  } as const;
  await storage.unanswered.keep(owner, entry);
  const site = {
    projectId: "default",
    sources: [{ source: "sitemap https://a.example/s.xml", pages: 2, passages: 9 }],
  };
  const readKnowledge = () => Promise.resolve([site]);
  const desk = new DeskClient({ storage, projects: { default: { models: [] } }, readKnowledge });
  await desk.signIn();
  expect(await desk.get("/knowledge")).toMatchObject({ sites: [site], unanswered: [entry] });
  const other = await deskOf({ storage }, {}, { quiet: { models: [] } });
  expect(await other.get("/knowledge")).toEqual({ sites: [], unanswered: [] });
});
