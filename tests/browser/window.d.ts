/** What host pages of these tests hold on their window. */
interface Window {
  readonly Nitka: {
    init(options?: object): TestedHandle;
  };
  readonly chat: TestedHandle;
}

interface TestedHandle {
  readonly element: HTMLElement;
  readonly ready: Promise<unknown>;
  send(text: string): Promise<void>;
  newThread(): Promise<void>;
  selectThread(threadId: string): Promise<void>;
  open(): void;
  close(): void;
  setColorScheme(scheme: "light" | "dark" | "auto"): void;
  destroy(): void;
}
