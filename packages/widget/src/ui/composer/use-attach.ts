import { useChat } from "../chat-context.tsx";

/** Returns a function that attaches files to the draft. The first file creates a thread if there is none. */
export function useAttach(threadId: string | undefined): (files: readonly File[]) => Promise<void> {
  const { actions } = useChat();
  return async (files) => {
    if (files.length === 0) return;
    const id = threadId ?? (await actions.ensureThread());
    if (id !== undefined) actions.addFiles(id, files);
  };
}
