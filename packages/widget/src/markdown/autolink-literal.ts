/** Links of bare addresses, as in GitHub Flavored Markdown 0.29, section 6.9: `https://…`, `www.…` and mail. */
import type { Link, Nodes, Parent, PhrasingContent, RootContent, Text } from "mdast";
import type { CompileContext, Extension, Token } from "mdast-util-from-markdown";

/**
 * Makes links of the tokens that micromark has for bare addresses. micromark finds none right after a bracket, a slash or a
 * semicolon; those are found afterwards in the text nodes. It does what mdast-util-gfm-autolink-literal does, in linear
 * time.
 *
 * @example
 * // "see [https://a.b/c]." → the text "see [", a link to https://a.b/c, the text "]."
 */
export function autolinkLiteralFromMarkdown(): Extension {
  return {
    enter: {
      literalAutolink(token) {
        this.enter({ type: "link", title: null, url: "", children: [] }, token);
      },
      literalAutolinkEmail: enterAddress,
      literalAutolinkHttp: enterAddress,
      literalAutolinkWww: enterAddress,
    },
    exit: {
      literalAutolink: exitLink,
      literalAutolinkEmail(token) {
        call(this, "exit", "autolinkEmail", token);
      },
      literalAutolinkHttp(token) {
        call(this, "exit", "autolinkProtocol", token);
      },
      literalAutolinkWww(token) {
        call(this, "exit", "data", token);
        const node = this.stack.at(-1);
        if (node?.type === "link") node.url = `http://${this.sliceSerialize(token)}`;
      },
    },
    transforms: [linkAddresses],
  };
}

function enterAddress(this: CompileContext, token: Token): undefined {
  call(this, "enter", "autolinkProtocol", token);
}

/** What micromark takes for the end of an address may belong to the sentence: it goes behind the link. */
function exitLink(this: CompileContext, token: Token): undefined {
  const link = this.stack.at(-1);
  this.exit(token);
  const [text] = link?.type === "link" ? link.children : [];
  if (link?.type !== "link" || text?.type !== "text") return;
  const address = withoutTrail(text.value);
  const trail = text.value.slice(address.length);
  if (trail === "") return;
  link.url = link.url.slice(0, -trail.length);
  text.value = address;
  (this.stack.at(-1) as Parent).children.push({ ...text, value: trail });
}

/** Calls the handler that mdast-util-from-markdown has for a token. */
function call(context: CompileContext, phase: "enter" | "exit", name: string, token: Token): void {
  context.config[phase][name]?.call(context, token);
}

/** A mailbox is limited to 64 characters: without a limit, matching a long run of `+` is quadratic. */
const address =
  /(https?:\/\/|www(?=\.))([-.\w]+)([^ \t\r\n]*)|(?<=^|\s|\p{P}|\p{S})([-.\w+]{1,64})@([-\w]+(?:\.[-\w]+)+)/giu;

function linkAddresses(node: Nodes): undefined {
  if (node.type === "link" || node.type === "linkReference" || !("children" in node)) return;
  const parent: Parent = node;
  parent.children = parent.children.flatMap<RootContent>((child) => {
    if (child.type !== "text") linkAddresses(child);
    return child.type === "text" && /www\.|:\/\/|@/i.test(child.value) ? linked(child) : [child];
  });
}

/** A text node as text nodes and links. */
function linked(text: Text): readonly PhrasingContent[] {
  const pieces: PhrasingContent[] = [];
  let from = 0;
  for (const match of text.value.matchAll(address)) {
    const link = mayBeginAt(text.value, match.index) ? linkOf(match) : undefined;
    if (!link) continue;
    if (match.index > from) pieces.push({ type: "text", value: text.value.slice(from, match.index) });
    pieces.push(link.node);
    from = match.index + link.length;
  }
  if (from === 0) return [text];
  if (from < text.value.length) pieces.push({ type: "text", value: text.value.slice(from) });
  return pieces;
}

function linkOf([whole, protocol, domain = "", path = "", mailbox, host = ""]: RegExpExecArray):
  | { readonly node: Link; readonly length: number }
  | undefined {
  if (protocol === undefined) {
    return mailbox === undefined || /[-\d_]$/.test(host)
      ? undefined
      : { node: linkTo(`mailto:${whole}`, whole), length: whole.length };
  }
  const isWww = /^www$/i.test(protocol);
  const rest = withoutTrail(domain + path);
  const shown = protocol + rest;
  if (!isDomain(isWww ? protocol + domain : domain) || (rest === "" && !isWww)) return undefined;
  return { node: linkTo(isWww ? `http://${shown}` : shown, shown), length: shown.length };
}

function linkTo(url: string, text: string): Link {
  return { type: "link", title: null, url, children: [{ type: "text", value: text }] };
}

/** Whether an address may begin at an index: at the start, and after white space and punctuation. */
function mayBeginAt(text: string, index: number): boolean {
  return index === 0 || /[\s\p{P}\p{S}]$/u.test(text.slice(Math.max(0, index - 2), index));
}

function isDomain(domain: string): boolean {
  const parts = domain.split(".");
  const isPart = (part: string) => part === "" || (!part.includes("_") && /[a-z\d]/i.test(part));
  return parts.length > 1 && parts.slice(-2).every(isPart);
}

/**
 * An address without the punctuation at its end, which belongs to the sentence. A closing parenthesis stays if its opening
 * one is in the address. Chinese and Japanese have no space after their punctuation: it ends an address wherever it is.
 *
 * @example
 * withoutTrail("a.b/c?!") // "a.b/c"
 * withoutTrail("a.b/c_(d))") // "a.b/c_(d)"
 * withoutTrail("a.b/c»…") // "a.b/c"
 * withoutTrail("a.b/c，然后") // "a.b/c"
 */
function withoutTrail(url: string): string {
  const [address = ""] = /^[^、。〈-】〔-〛！（），：；？]*/.exec(url) ?? [];
  let end = address.length;
  while (/[!"&'),.:;<>?\]}…\p{Pi}\p{Pf}]/u.test(address.charAt(end - 1))) end -= 1;
  let open = countOf(address.slice(0, end), "(") - countOf(address.slice(0, end), ")");
  for (let close = address.indexOf(")", end); close >= 0 && open > 0; close = address.indexOf(")", end)) {
    end = close + 1;
    open -= 1;
  }
  return address.slice(0, end);
}

function countOf(text: string, char: string): number {
  return text.split(char).length - 1;
}
