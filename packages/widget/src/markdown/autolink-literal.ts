/**
 * Links of bare addresses, as in GitHub Flavored Markdown 0.29, section 6.9: `https://…`, `www.…` and mail. They are found in
 * the text nodes, in linear time. First, the syntax extension ensures that no character inside an address counts as a marker.
 */
import type { Link, Nodes, Parent, PhrasingContent, RootContent, Text } from "mdast";
import type { Extension as TreeExtension } from "mdast-util-from-markdown";
import type { Code, Construct, Extension } from "micromark-util-types";
import { charOf } from "./char-of.ts";

/**
 * Keeps the markers inside addresses as text.
 *
 * @example
 * // "*see https://a.b/c_d_e*" → emphasis around «see https://a.b/c_d_e», in which `_d_` is plain text
 */
export function bareAddresses(): Extension {
  // `H`, `W`, `h` and `w`.
  return { text: { 72: address, 87: address, 104: address, 119: address } };
}

/** Markers at the end of an address close what was opened before it. */
const trail: Construct = {
  partial: true,
  tokenize: (effects, ok, nok) =>
    function inside(code) {
      const char = charOf(code);
      if (isEnd(char)) return ok(code);
      if (!trailing.test(char)) return nok(code);
      effects.consume(code);
      return inside;
    },
};

const beginnings = ["http://", "https://", "www."];

const address: Construct = {
  previous: (code) => !/[a-z]/i.test(charOf(code)),
  tokenize(effects, ok, nok) {
    let begun = "";
    /** Whether the address continues after a run of trailing characters. The run is examined once. */
    let isRun = false;
    return (code) => {
      effects.enter("data");
      return begin(code);
    };

    function begin(code: Code) {
      const char = charOf(code).toLowerCase();
      begun += char;
      if (char === "" || !beginnings.some((beginning) => beginning.startsWith(begun))) return nok(code);
      effects.consume(code);
      return beginnings.includes(begun) ? inside : begin;
    }

    function inside(code: Code) {
      const char = charOf(code);
      if (isEnd(char)) return end(code);
      if (/[*_~]/.test(char) && !isRun) return effects.check(trail, end, goOn)(code);
      isRun &&= trailing.test(char);
      effects.consume(code);
      return inside;
    }

    function goOn(code: Code) {
      isRun = true;
      return inside(code);
    }

    function end(code: Code) {
      effects.exit("data");
      return ok(code);
    }
  },
};

/** Punctuation that ends the sentence, not the address. */
const trailing = /[!"&'),.:;<>?\]}*_~…\p{Pi}\p{Pf}]/u;

/** Also true for characters that may begin more than a part of the address: a tag, a bracket, code, `&amp;`. */
function isEnd(char: string): boolean {
  return /^[\s<[\]`&]?$/.test(char);
}

/**
 * Turns the addresses in text nodes into links.
 *
 * @example
 * // "see [https://a.b/c]." → the text "see [", a link to https://a.b/c, the text "]."
 */
export function autolinkLiteralFromMarkdown(): TreeExtension {
  return { transforms: [linkAddresses] };
}

/**
 * Chinese and Japanese punctuation has no space after it, so it ends an address. A mailbox name has at most 64 characters:
 * without a limit, matching a long run of `+` is quadratic.
 */
const anyAddress =
  /(?:(?<![a-z])https?:\/\/(?=[^\s\p{P}\p{S}])|(?<![^\s\p{P}\p{S}])www(?=\.))((?:[^\s\p{P}\p{S}]|[-._])*)[^\s<、。〈-】〔-〛！（），：；？]*|(?<![-.\w+])([-.\w+]{1,64})@([-\w]+(?:\.[-\w]+)+)/giu;

function linkAddresses(node: Nodes): undefined {
  if (node.type === "link" || node.type === "linkReference" || !("children" in node)) return;
  const parent: Parent = node;
  parent.children = parent.children.flatMap<RootContent>((child) => {
    if (child.type !== "text") linkAddresses(child);
    return child.type === "text" && /www\.|:\/\/|@/i.test(child.value) ? linked(child) : [child];
  });
}

/** Splits a text node into text nodes and links. */
function linked(text: Text): readonly PhrasingContent[] {
  const pieces: PhrasingContent[] = [];
  let from = 0;
  for (const match of text.value.matchAll(anyAddress)) {
    const link = linkOf(match);
    if (!link) continue;
    if (match.index > from) pieces.push({ type: "text", value: text.value.slice(from, match.index) });
    pieces.push(link.node);
    from = match.index + link.length;
  }
  if (from === 0) return [text];
  if (from < text.value.length) pieces.push({ type: "text", value: text.value.slice(from) });
  return pieces;
}

function linkOf([whole, domain = "", mailbox, host = ""]: RegExpExecArray):
  | { readonly node: Link; readonly length: number }
  | undefined {
  if (mailbox !== undefined) {
    return /[-\d_]$/.test(host) ? undefined : { node: linkTo(`mailto:${whole}`, whole), length: whole.length };
  }
  const shown = withoutTrail(whole);
  // GitHub allows no underscore in the last two labels of a domain.
  if (/_[^.]*\.?[^.]*$/.test(domain)) return undefined;
  return { node: linkTo(/^w/i.test(shown) ? `http://${shown}` : shown, shown), length: shown.length };
}

function linkTo(url: string, text: string): Link {
  return { type: "link", title: null, url, children: [{ type: "text", value: text }] };
}

/**
 * Removes from an address the punctuation at its end, which belongs to the sentence. A closing parenthesis stays if its opening
 * one is in the address.
 *
 * @example
 * withoutTrail("a.b/c?!") // "a.b/c"
 * withoutTrail("a.b/c_(d))") // "a.b/c_(d)"
 * withoutTrail("a.b/c»…") // "a.b/c"
 */
function withoutTrail(url: string): string {
  let end = url.length;
  while (trailing.test(url.charAt(end - 1))) end -= 1;
  let open = countOf(url.slice(0, end), "(") - countOf(url.slice(0, end), ")");
  for (let close = url.indexOf(")", end); close >= 0 && open > 0; close = url.indexOf(")", end)) {
    end = close + 1;
    open -= 1;
  }
  return url.slice(0, end);
}

function countOf(text: string, char: string): number {
  return text.split(char).length - 1;
}
