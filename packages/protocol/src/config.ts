/** The files that a project accepts. */
export interface AttachmentRules {
  /** In the format of HTML's `accept` attribute. */
  readonly accept?: string;
  /** The most bytes of one file. */
  readonly maxBytes?: number;
  /** The most files in one message. */
  readonly maxCount?: number;
}

/** The text that a visitor must accept before anything that they write leaves the page. */
export interface Consent {
  readonly text: string;
  /** The address of the full text. */
  readonly url?: string;
  readonly version: string;
}

/** The body of the config response. Every field is optional; an empty object gives a working widget. */
export interface ServerConfig {
  /** The base of the `api/debug` paths, resolved against the proxy URL. */
  readonly apiBase?: string;
  /** The text of the sidebar's link to the product. */
  readonly title?: string;
  /** The target of that link. Default: `/` on the origin of the proxy URL. */
  readonly titleUrl?: string;
  /** `false` hides the feedback link. */
  readonly feedbackUrl?: string | false;
  /** The text of an empty thread. */
  readonly greeting?: { readonly title?: string; readonly subtitle?: string };
  /** The questions that an empty thread suggests: the text of the button, and the question that it sends. */
  readonly suggestions?: readonly { readonly title: string; readonly prompt: string }[];
  /** The models that the visitor can choose from. */
  readonly models?: readonly { readonly id: string; readonly name: string }[];
  /** The id of the model that answers until the visitor chooses another. */
  readonly model?: string;
  /** `false` when the project accepts no attachments. */
  readonly attachments?: AttachmentRules | false;
  /**
   * A line below the composer that says that an AI answers. The widget has a default text; `url` is the target of
   * «Подробнее». Without `notice` there is no line.
   */
  readonly notice?: { readonly text?: string; readonly url?: string };
  /** The consent that a visitor must give before their first question. A new version asks again. */
  readonly consent?: Consent;
  /** Dictation into the draft, and reading answers aloud, with the browser's own speech support if it has any. */
  readonly voice?: { readonly input?: boolean; readonly output?: boolean };
  /**
   * A page that shows only the chat, which the launcher's panel links to. A thread's address is `/c/{threadId}` below
   * it, or in its fragment if the URL has one.
   */
  readonly pageUrl?: string;
  /** CSS custom properties by name, with or without the leading dashes. */
  readonly theme?: Readonly<Record<string, string>>;
  /** Hosts that images in markdown may load from, for example `cdn.example.com`. */
  readonly imageHosts?: readonly string[];
  /**
   * `token`: the visitor's credential when a cookie cannot be kept. Requests send it back as `Authorization: Bearer`.
   * `named`: the host identifies this visitor to the backend without a token; the text is unique to the visitor.
   */
  readonly visitor?: { readonly token?: string; readonly named?: string };
  /** The optional operations that this backend supports. Default: none. */
  readonly features?: {
    /** `GET …/run/stream` rejoins a run. */
    readonly resume?: boolean;
    /** `POST …/run/cancel` stops a run. */
    readonly cancel?: boolean;
    /** `POST …/attachments` stores a file before its message is sent. */
    readonly upload?: boolean;
    /** `POST …/branch` with `{ messageId }` stores which branch the visitor has open. */
    readonly branch?: boolean;
    /** `DELETE …/visitor` deletes everything that the visitor has written and sent. */
    readonly erase?: boolean;
    /**
     * `POST …/visitor/claim` transfers the threads of this browser's anonymous visitor to the visitor whom the host
     * identifies.
     */
    readonly claim?: boolean;
    /** A question may contain `pageContext`. */
    readonly pageContext?: boolean;
    /** A question may declare `tools` of the page; `POST …/run/tool` answers their calls. */
    readonly clientTools?: boolean;
    /** `POST …/run/tool` decides tool calls that wait for approval. */
    readonly approvals?: boolean;
    /** `POST …/messages/{messageId}/feedback` stores the visitor's feedback on an answer. */
    readonly feedback?: boolean;
    /** `POST …/visitor/consent` with `{ version }` stores that the visitor accepts the config's `consent`. */
    readonly consent?: boolean;
    /** `POST …/restore` restores a deleted thread, for an hour. */
    readonly restore?: boolean;
    /** `GET …/threads?query=` finds threads by the words of their titles and messages. */
    readonly search?: boolean;
    /** `GET …/visitor/export` responds with everything that is stored about the visitor. */
    readonly export?: boolean;
  };
}
