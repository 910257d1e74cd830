/** What the composer takes. `accept` is a string as in HTML's `accept` attribute. */
export interface AttachmentRules {
  readonly accept?: string;
  readonly maxBytes?: number;
  readonly maxCount?: number;
}

/** What the config call answers. Every field is optional; an empty object gives a working widget. */
export interface ServerConfig {
  /** Base of the `/api/debug` calls, resolved against the proxy URL. */
  readonly apiBase?: string;
  readonly title?: string;
  readonly titleUrl?: string;
  /** `false` hides the feedback link. */
  readonly feedbackUrl?: string | false;
  readonly greeting?: { readonly title?: string; readonly subtitle?: string };
  readonly suggestions?: readonly { readonly title: string; readonly prompt: string }[];
  readonly models?: readonly { readonly id: string; readonly name: string }[];
  readonly model?: string;
  readonly attachments?: AttachmentRules | false;
  /** CSS custom properties by name, with or without the leading dashes. */
  readonly theme?: Readonly<Record<string, string>>;
  /** Hosts from which images in markdown may load. */
  readonly imageHosts?: readonly string[];
  readonly visitor?: { readonly token?: string };
  /** Which of the additions to the specification's calls this backend has. */
  readonly features?: {
    readonly resume?: boolean;
    readonly cancel?: boolean;
    readonly upload?: boolean;
    /** The backend remembers the branch that the visitor left open: `POST …/threads/{id}/branch` with `{ messageId }`. */
    readonly branch?: boolean;
    /** The visitor can delete everything they have said and sent: `DELETE …/visitor`. */
    readonly erase?: boolean;
    /** A visitor whom the host names takes over the threads of this browser's anonymous one: `POST …/visitor/claim`. */
    readonly claim?: boolean;
  };
}
