import { expect, test } from "vitest";
import { heardSince, heardText, placeHeard } from "./heard-text.ts";

const resultsOf = (...transcripts: readonly string[]) => transcripts.map((transcript) => [{ transcript }]);

test.each([
  [["привет"], "привет"],
  [["привет", " как дела"], "привет как дела"],
  [["привет", "как дела"], "привет как дела"],
  // Chrome on Android repeats earlier results.
  [["при", "привет", "привет как", "привет как дела"], "привет как дела"],
  [["да", " да да"], "да да да"],
  [[], ""],
])("of %j the draft gets «%s»", (transcripts, text) => {
  expect(heardText(resultsOf(...transcripts))).toBe(text);
});

test("after a change by hand only new text is heard, even if the browser corrects itself", () => {
  const settled = { text: "купить молоко", results: 1 };
  expect(heardSince(resultsOf("купить молоко", " и рис"), settled)).toBe("и рис");
  expect(heardSince(resultsOf("купи молоко", " и рис"), settled)).toBe("и рис");
  expect(heardSince(resultsOf("купи молоко"), settled)).toBe("");
});

test.each([
  ["", "", "", "слово|"],
  ["Раз", "", "", "Раз слово|"],
  ["Раз ", "", " два", "Раз слово| два"],
  ["Раз ", "", "два", "Раз слово| два"],
  ["(", "", "), два", "(слово|), два"],
  ["Раз\n", "", ", два", "Раз\nслово|, два"],
  ["Раз ", "два", " три", "Раз слово| три"],
])("«%s[%s]%s» becomes «%s»", (before, selected, after, expected) => {
  const { text, caret } = placeHeard({ before, selected, after }, "слово");
  expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(expected);
});

test("while nothing is heard, nothing selected is replaced", () => {
  expect(placeHeard({ before: "а ", selected: "б", after: " в" }, "")).toEqual({ text: "а б в", caret: 3 });
});
