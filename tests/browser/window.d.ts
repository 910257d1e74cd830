/** What the host pages of these tests define on their window. */
interface Window {
  readonly Nitka: {
    init(options?: object): TestedHandle;
  };
  readonly chat: TestedHandle;
}

interface TestedHandle {
  readonly element: HTMLElement;
  readonly ready: Promise<unknown>;
  send(
    text: string,
    options?: { readonly files?: readonly File[]; readonly threadId?: string },
  ): Promise<{ readonly threadId: string; readonly messageId: string }>;
  newThread(): Promise<{ readonly threadId: string }>;
  selectThread(threadId: string): Promise<void>;
  stop(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
  focus(): Promise<void>;
  setDraft(text: string): Promise<void>;
  notify(text: string): Promise<void>;
  eraseVisitor(): Promise<void>;
  setColorScheme(scheme: "light" | "dark" | "auto"): void;
  destroy(): void;
}
