import { expect, test } from "vitest";
import { rowsOf, toCsv, toHtml, toTsv } from "./table-text.ts";

const rows = [
  ["Город", "Цена"],
  ['Санкт-"Петербург"', "1,5"],
  ["a<b\nc", "-20 %"],
];

test("a table becomes lines of tabs, HTML and CSV", () => {
  expect(toTsv(rows)).toBe('Город\tЦена\nСанкт-"Петербург"\t1,5\na<b c\t-20 %');
  expect(toHtml(rows)).toBe(
    '<table><thead><tr><th>Город</th><th>Цена</th></tr></thead><tbody><tr><td>Санкт-"Петербург"</td><td>1,5</td></tr>' +
      "<tr><td>a&lt;b<br>c</td><td>-20 %</td></tr></tbody></table>",
  );
  expect(toCsv(rows)).toBe('Город,Цена\r\n"Санкт-""Петербург""","1,5"\r\n"a<b\nc",-20 %\r\n');
});

test.each(["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "＝1+1"])(
  "CSV has %j as a text, not as a formula",
  (cell) => {
    expect(toCsv([[cell]]).replaceAll(/^"|"?\r\n$/g, "")).toMatch(/^'/);
  },
);

test.each(["-5", "+7 900 123", "-1,25", "−3"])("CSV has %j as it is", (cell) => {
  expect(toCsv([[cell]]).replaceAll(/^"|"?\r\n$/g, "")).toBe(cell);
});

test("cells are read with their line breaks", () => {
  const place = document.createElement("div");
  place.innerHTML = "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>b <b>c</b><br>d</td></tr></tbody></table>";
  expect(rowsOf(place.querySelector("table"))).toEqual([["A"], ["b c\nd"]]);
  expect(rowsOf(undefined)).toEqual([]);
});
