/** A key that types no character, as `KeyboardEvent.key` names it. */
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
 * A browser with one page, reduced to what the remote protocol of every engine can do. Everything else is asked of the
 * page by a script.
 */
export interface Driver {
  /** Gives the next sentence an empty page that has the focus, in a window of the usual size. */
  renew(): Promise<void>;
  /** Begins to load a page, and does not wait for it. */
  goto(url: string): Promise<void>;
  /** Runs the body of a function in the page; gives what it returns, as JSON has it. */
  run(body: string): Promise<unknown>;
  /** A press of the mouse, in pixels of the viewport. */
  click(x: number, y: number): Promise<void>;
  /** Presses keys together and lets go of them: `["Shift", "Tab"]`. */
  press(keys: readonly SpecialKey[]): Promise<void>;
  /** Presses a key for each character. */
  type(text: string): Promise<void>;
  /** Gives the page's window this width. */
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

export const WINDOW = { width: 1280, height: 800 };
