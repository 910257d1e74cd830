import type { Site } from "../../browser/site.ts";
import type { WidgetPage } from "../widget-page.ts";

/** Something that holds in every browser. */
export interface Sentence {
  readonly says: string;
  readonly holds: (page: WidgetPage, site: Site) => Promise<void>;
  /** What the page may say of errors meanwhile. */
  readonly mayNote?: RegExp;
}
