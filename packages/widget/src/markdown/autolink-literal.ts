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
      literalAutolink(token) {
        this.exit(token);
      },
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
    const link = mayBeginAfter(text.value.slice(0, match.index)) ? linkOf(match) : undefined;
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

/** Whether an address may begin after this text: at its start, and after white space and punctuation. */
function mayBeginAfter(before: string): boolean {
  return /(?:^|[\s\p{P}\p{S}])$/u.test(before);
}

function isDomain(domain: string): boolean {
  const parts = domain.split(".");
  const isPart = (part: string) => part === "" || (!part.includes("_") && /[a-z\d]/i.test(part));
  return parts.length > 1 && parts.slice(-2).every(isPart);
}

/**
 * An address without the punctuation at its end, which belongs to the sentence. A closing parenthesis stays if its opening
 * one is in the address.
 *
 * @example
 * withoutTrail("a.b/c?!") // "a.b/c"
 * withoutTrail("a.b/c_(d))") // "a.b/c_(d)"
 */
function withoutTrail(url: string): string {
  const [trail = ""] = /[!"&'),.:;<>?\]}]+$/.exec(url) ?? [];
  let end = url.length - trail.length;
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
