/** A page's own view that answers a tool call: a form or a choice. */
import { done, gate } from "./backend.ts";
import { expect, plain, test } from "./fixtures.ts";

const call = { toolCallId: "c1", toolName: "size", input: {} };

test("a view answers the tool call that waits for it, once", plain, async ({ chat, page, site }) => {
  const held = gate();
  const posts: unknown[] = [];
  await chat.config({ features: { clientTools: true } });
  await page.route(/\/run\/tool$/, async (route) => {
    posts.push(route.request().postDataJSON());
    await route.fulfill({ status: 200, json: {} });
  });
  site.script.rawAnswer = async function* ({ answerId }) {
    yield { type: "start", messageId: answerId };
    yield { type: "tool-input-available", ...call };
    yield { type: "data-tool-request", data: call };
    await held.opened;
    yield { type: "tool-output-available", toolCallId: "c1", output: { size: "M" } };
    yield { type: "finish" };
    yield done;
  };
  await chat.open("/", {
    options: `{
      target: "#chat",
      tools: { size: { description: "Asks for a size", parameters: { type: "object" } } },
      renderers: {
        "tool:size": (container, { state, result }, api) => {
          window.api = api;
          container.innerHTML = state === "waiting" ? "<button>M</button>" : "<p class=own>" + state + "</p>";
          container.querySelector("button")?.addEventListener("click", () => api.answer({ size: "M" }));
        },
      },
    }`,
  });
  await chat.ask("Какой размер?");
  await page.getByRole("button", { name: "M", exact: true }).click();
  await expect.poll(() => posts).toEqual([{ toolCallId: "c1", output: { size: "M" } }]);
  await expect(page.evaluate(() => Reflect.get(window, "api").answer({ size: "L" }))).rejects.toThrow(/Nitka|answer/);
  held.open();
  await expect(page.locator(".own")).toHaveText("done");
  await chat.idle();
  await expect(page.evaluate(() => Reflect.get(window, "api").answer({ size: "L" }))).rejects.toThrow(/Nitka|answer/);
  expect(posts).toHaveLength(1);
});
