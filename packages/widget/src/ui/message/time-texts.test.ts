// @vitest-environment node
import { expect, test } from "vitest";
import { createTimeTexts } from "./time-texts.ts";

const today = new Date(2026, 10, 26, 15, 5);
const march = new Date(2026, 2, 2, 15, 5);

test.each([
  ["ru", "Сегодня", "2 марта", "15:05"],
  ["en", "Today", "March 2", "03:05 PM"],
  ["en-GB", "Today", "2 March", "15:05"],
  ["de-AT", "Heute", "2. März", "15:05"],
])("in %s days and times are told as there", (language, day, date, time) => {
  const texts = createTimeTexts(language);
  expect(texts.day(today, today)).toBe(day);
  expect(texts.day(march, today)).toBe(date);
  expect(texts.short(march).replace(/\s/, " ")).toBe(time);
});
