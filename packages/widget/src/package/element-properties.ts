import { optionNames } from "../element/element-options.ts";
import type { NitkaElement } from "../element/element-options.ts";
import type { NitkaEvents } from "../options.ts";
import type { VisitorToken } from "../transport/credential.ts";
import { CALLBACK_PROPS } from "./chat-props.ts";
import type { NitkaChatProps } from "./chat-props.ts";

type Values = Readonly<Record<string, unknown>>;

export interface ElementProperties {
  /** Called after each render of the component with its properties. */
  update(props: NitkaChatProps): void;
  /** Sets all options of a new element before it is in the page, because a widget in the page would restart. */
  begin(element: NitkaElement): void;
  end(): void;
}

/**
 * Sets the changed properties of a component on its element. A render creates new functions and objects with the same meaning.
 * Callbacks, functions among the words and the function for the token therefore stay the same for the element and call the
 * latest version. The element itself compares words by their texts.
 */
export function createElementProperties(): ElementProperties {
  let element: NitkaElement | undefined;
  let latest: NitkaChatProps = {};
  /** The values that the element has. */
  let given: Values = {};

  const on = Object.fromEntries(
    Object.entries(CALLBACK_PROPS).map(([event, prop]) => [
      event,
      (detail: NitkaEvents[keyof NitkaEvents]) => (latest[prop] as ((detail: unknown) => void) | undefined)?.(detail),
    ]),
  );
  const currentToken = () => tokenOf(latest.visitorToken);
  const wordCalls = new Map<string, unknown>();
  const callWord = (key: string): unknown => {
    const call =
      wordCalls.get(key) ??
      ((...args: readonly unknown[]) => {
        const word: unknown = Object(latest.words)[key];
        return typeof word === "function" ? (word(...args) as unknown) : word;
      });
    wordCalls.set(key, call);
    return call;
  };
  const currentWords = (): unknown => {
    if (typeof latest.words !== "object" || latest.words === null) return latest.words;
    return Object.fromEntries(
      Object.entries(latest.words).map(([key, word]) => [key, typeof word === "function" ? callWord(key) : word]),
    );
  };
  const values = (): Values => ({
    ...latest,
    on,
    words: currentWords(),
    visitorToken: typeof latest.visitorToken === "function" ? currentToken : latest.visitorToken,
  });
  const set = () => {
    const next = values();
    for (const name of optionNames) {
      if (element && !Object.is(next[name] ?? undefined, given[name] ?? undefined)) {
        Reflect.set(element, name, next[name]);
      }
    }
    given = next;
  };
  const onLinkClick = (event: Event) => latest.onLinkClick?.(event as CustomEvent<{ readonly href: string }>);
  return {
    update(props) {
      latest = props;
      if (element) set();
    },
    begin(next) {
      element = next;
      given = {};
      set();
      element.addEventListener("nitka-linkclick", onLinkClick);
    },
    end() {
      element?.removeEventListener("nitka-linkclick", onLinkClick);
      element = undefined;
    },
  };
}

async function tokenOf(source: VisitorToken | undefined): Promise<string> {
  return typeof source === "function" ? source() : (source ?? "");
}
