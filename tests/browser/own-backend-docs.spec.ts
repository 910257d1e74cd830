import { text } from "./files.ts";
import { corePlain, expect, test } from "./fixtures.ts";
import { codeIn } from "../docs-code.ts";

/** Ids are numbered in the order of their first occurrence, because they differ between runs. */
const varying = /"id":"[^"]*"|"parentId":"[^"]*"/g;

/** Replaces each id by its number. */
function withoutIds(bodies: readonly string[]): readonly string[] {
  const numbers = new Map<string, number>();
  return bodies.map((body) =>
    body.replaceAll(varying, (field) => {
      const [name = "", id = ""] = field.split(":");
      if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
      return `${name}:${numbers.get(id)}`;
    }),
  );
}

test("the widget's requests for answers are those of own-backend.md", corePlain, async ({ chat, page }) => {
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/run/stream")) bodies.push(request.postData() ?? "");
  });
  await chat.open();
  await chat.ask("Где мой заказ?");
  await chat.idle();
  await chat.button("Сгенерировать заново").click();
  await chat.idle();
  const chooser = page.waitForEvent("filechooser");
  await chat.button("Добавить вложение").click();
  await (await chooser).setFiles([text("чек.txt", "Чайник, 900")]);
  await chat.ask("Вот чек");
  await chat.idle();
  const documented = codeIn("own-backend.md", "What the widget sends").map((block) =>
    JSON.stringify(JSON.parse(block)),
  );
  expect(withoutIds(bodies)).toEqual(withoutIds(documented));
});
