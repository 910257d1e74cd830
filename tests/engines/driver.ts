/** A key that types no character, by its name in `KeyboardEvent.key`. */
export type SpecialKey =
  | "Enter"
  | "Escape"
  | "Tab"
  | "Backspace"
  | "ArrowLeft"
  | "ArrowUp"
  | "ArrowRight"
  | "ArrowDown"
  | "F6"
  | "Shift"
  | "Control";

/**
 * A browser with one page, reduced to the commands that every engine's remote protocol supports. Scripts in the page do the
 * rest.
 */
export interface Driver {
  /** Prepares the page for the next scenario: it has the focus, and its window has the usual size. */
  reset(): Promise<void>;
  /** Starts loading a page, without waiting for the end. */
  goto(url: string): Promise<void>;
  /** Runs the body of a function in the page and returns its result, which must be JSON. */
  run(body: string): Promise<unknown>;
  /** Clicks at this point, in CSS pixels of the viewport. */
  click(x: number, y: number): Promise<void>;
  /** Presses keys together and releases them: `["Shift", "Tab"]`. */
  press(keys: readonly SpecialKey[]): Promise<void>;
  /** Presses a key for each character. */
  type(text: string): Promise<void>;
  /** Resizes the viewport, in CSS pixels. */
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** The usual size of the viewport, in CSS pixels. */
export const WINDOW = { width: 1280, height: 800 };
