import type { Site } from "../../browser/site.ts";
import type { WidgetPage } from "../widget-page.ts";

/** A test that runs in every engine. */
export interface Scenario {
  /** Completes «the widget in Chromium …». */
  readonly title: string;
  readonly run: (page: WidgetPage, site: Site) => Promise<void>;
  /**
   * Tests of `tests/browser` that prove the same in Chromium, by file and by a part of their title. Chromium does not run such
   * a scenario.
   */
  readonly provedBy?: readonly (readonly [file: string, title: string])[];
  /** Matches the errors that the page may report. By default it may report none. */
  readonly allowedErrors?: RegExp;
}
