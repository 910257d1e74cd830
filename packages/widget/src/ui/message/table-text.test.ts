import { expect, test } from "vitest";
import { rowsOf, toCsv, toHtml, toTsv } from "./table-text.ts";

const rows = [
  ["Город", "Цена"],
  ['Санкт-"Петербург"', "1,5"],
  ["a<b\nc", "-20 %"],
];

test("a table is converted to lines with tabs, HTML and CSV", () => {
  expect(toTsv(rows)).toBe('Город\tЦена\nСанкт-"Петербург"\t1,5\na<b c\t-20 %');
  expect(toHtml(rows)).toBe(
    '<table><thead><tr><th>Город</th><th>Цена</th></tr></thead><tbody><tr><td>Санкт-"Петербург"</td><td>1,5</td></tr>' +
      "<tr><td>a&lt;b<br>c</td><td>-20 %</td></tr></tbody></table>",
  );
  expect(toCsv(rows)).toBe('Город,Цена\r\n"Санкт-""Петербург""","1,5"\r\n"a<b\nc",-20 %\r\n');
});

test.each([
  "=1+1",
  "@SUM(A1)",
  "+cmd|' /C calc'!A0",
  "\t=1",
  "＝1+1",
  "-A1",
  "- нет",
  "-2+3",
  "-22+3",
  "-2 %*A1",
  "-1e5+2",
  "-5-A1",
  "-5:5",
  "-5|x",
  "-2(3)",
  "-2x|' /C calc'!A0",
  '-5 HYPERLINK("https://a.example")',
  "-5 Лист!A1",
  "+7 900 123-45-67",
])("CSV has %j as a text, not as a formula", (cell) => {
  expect(toCsv([[cell]]).replaceAll(/^"|"?\r\n$/g, "")).toMatch(/^'/);
});

test.each([
  "-5",
  "+7 900 123",
  "-1,25",
  "−3",
  "-",
  "-.5",
  "-20 %",
  "-5 °C",
  "-5°",
  "-10…-5 °C",
  "-5 м/с",
  "-1,5 млн ₽",
  "-5 (ночью)",
  "-3 евро!",
  "+5 eur",
])("CSV has %j as it is", (cell) => {
  expect(toCsv([[cell]]).replaceAll(/^"|"?\r\n$/g, "")).toBe(cell);
});

test("cells are read with their line breaks", () => {
  const place = document.createElement("div");
  place.innerHTML = "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>b <b>c</b><br>d</td></tr></tbody></table>";
  expect(rowsOf(place.querySelector("table"))).toEqual([["A"], ["b c\nd"]]);
  expect(rowsOf(undefined)).toEqual([]);
});
