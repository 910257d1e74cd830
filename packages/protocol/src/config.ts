/** Which files a project takes. */
export interface AttachmentRules {
  /** As in HTML's `accept` attribute. */
  readonly accept?: string;
  /** Of one file. */
  readonly maxBytes?: number;
  /** In one message. */
  readonly maxCount?: number;
}

/** What a visitor agrees to before anything that they have written leaves the page. */
export interface Consent {
  readonly text: string;
  /** Where the whole text is. */
  readonly url?: string;
  readonly version: string;
}

/** The body of the config response. Every field is optional; an empty object gives a working widget. */
export interface ServerConfig {
  /** The base of the `api/debug` paths, resolved against the proxy URL. */
  readonly apiBase?: string;
  /** The text of the sidebar's link to the product. */
  readonly title?: string;
  /** Where that link leads: `/` beside the proxy URL without it. */
  readonly titleUrl?: string;
  /** `false` hides the feedback link. */
  readonly feedbackUrl?: string | false;
  /** What an empty thread says. */
  readonly greeting?: { readonly title?: string; readonly subtitle?: string };
  /** What an empty thread offers to ask: the text of the button, and the question that it sends. */
  readonly suggestions?: readonly { readonly title: string; readonly prompt: string }[];
  /** The models that the visitor may choose from. */
  readonly models?: readonly { readonly id: string; readonly name: string }[];
  /** The id of the one that answers until the visitor chooses another. */
  readonly model?: string;
  /** `false` when the project takes no attachments. */
  readonly attachments?: AttachmentRules | false;
  /**
   * A line below the composer: that an AI answers. The widget has a text for it; `url` is where «Подробнее» leads. Without
   * `notice` there is no line.
   */
  readonly notice?: { readonly text?: string; readonly url?: string };
  /** What a visitor agrees to before their first question. Another version asks again. */
  readonly consent?: Consent;
  /** Dictation into the draft, and answers read aloud, by the browser's own speech where it has it. */
  readonly voice?: { readonly input?: boolean; readonly output?: boolean };
  /**
   * A page that is the chat alone: the launcher's panel offers to open it. The thread's address is `/c/{threadId}` below it, or
   * in its fragment where it has one.
   */
  readonly pageUrl?: string;
  /** CSS custom properties by name, with or without the leading dashes. */
  readonly theme?: Readonly<Record<string, string>>;
  /** Hosts that images in markdown may load from, such as `cdn.example.com`. */
  readonly imageHosts?: readonly string[];
  /**
   * `token`: the visitor's credential where a cookie cannot be kept. Requests send it back as `Authorization: Bearer`.
   * `named`: the backend knows by itself that the host names this visitor; no other visitor has the same text.
   */
  readonly visitor?: { readonly token?: string; readonly named?: string };
  /** The optional operations that this backend has. Without `features` it has none of them. */
  readonly features?: {
    /** `GET …/run/stream` rejoins a run. */
    readonly resume?: boolean;
    /** `POST …/run/cancel` stops a run. */
    readonly cancel?: boolean;
    /** `POST …/attachments` stores a file before its message is sent. */
    readonly upload?: boolean;
    /** `POST …/branch` with `{ messageId }` stores which branch the visitor left open. */
    readonly branch?: boolean;
    /** `DELETE …/visitor` deletes everything that the visitor has said and sent. */
    readonly erase?: boolean;
    /** `POST …/visitor/claim` gives the threads of this browser's anonymous visitor to the one that the host names. */
    readonly claim?: boolean;
    /** A question may carry `pageContext`. */
    readonly pageContext?: boolean;
    /** A question may declare `tools` of the page; `POST …/run/tool` answers their calls. */
    readonly clientTools?: boolean;
    /** `POST …/run/tool` decides tool calls that wait for approval. */
    readonly approvals?: boolean;
    /** `POST …/messages/{messageId}/feedback` stores what the visitor thinks of an answer. */
    readonly feedback?: boolean;
    /** `POST …/visitor/consent` with `{ version }` stores that the visitor agrees to the config's `consent`. */
    readonly consent?: boolean;
    /** `POST …/restore` takes an archiving back, for an hour. */
    readonly restore?: boolean;
    /** `GET …/threads?query=` finds threads by the words of their titles and messages. */
    readonly search?: boolean;
    /** `GET …/visitor/export` answers with everything that is stored of the visitor. */
    readonly export?: boolean;
  };
}
