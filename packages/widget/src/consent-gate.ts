/**
 * The visitor's agreement to the config's `consent`. This code loads only if the config asks for consent, before the first
 * view.
 */
import type { Consent } from "@nitka/protocol";
import type { SafeStorage } from "./browser/storage.ts";
import { changeDraft, failDraft, holdDraft, reopenDraft } from "./store/composer.ts";
import { draftOf } from "./store/selectors.ts";
import { HttpError } from "./transport/http-error.ts";
import { request } from "./transport/http-request.ts";
import type { Connection } from "./transport/connect.ts";
import type { Transport } from "./transport/transport.ts";
import type { ActionContext } from "./actions/action-context.ts";
import { failureOf } from "./actions/action-context.ts";
import type { Actions } from "./actions/actions.ts";

/** This path is here and not beside the others, because the code with the others loads on every page. */
const CONSENT_ROUTE = "api/debug/visitor/consent";

export interface ConsentGate {
  /** The guarded transport. Before the visitor agrees, nothing that they write or attach leaves the page. */
  readonly transport: Transport;
  /**
   * The guarded actions. Sending a draft counts as agreeing; other actions that ask the backend something wait for the
   * agreement.
   */
  guard(actions: Actions, context: ActionContext): Actions;
}

interface ConsentOptions {
  readonly consent: Consent;
  readonly connection: Pick<Connection, "api" | "config" | "transport" | "subject">;
  readonly storage: SafeStorage;
  /** The key of the project in the browser's storage. */
  readonly project: string;
}

/** Resolves when it is known whether this visitor has agreed in this browser. */
export async function openConsent({ consent, connection, storage, project }: ConsentOptions): Promise<ConsentGate> {
  const { api, config, transport } = connection;
  const { consent: isKeptThere, claim: isClaimed } = config.features ?? {};
  const key = `nitka:consent:${project}`;
  // Nothing is stored if the token does not name its visitor.
  const visitor = await connection.subject().catch(() => undefined);
  const entryOf = (whose: string) => JSON.stringify([consent.version, whose === "" ? "" : digest(key + whose)]);
  const kept = storage.read(key);
  // When the anonymous visitor is claimed, the backend passes their agreement on to the visitor whom the host names.
  const isKept = visitor !== undefined && (kept === entryOf(visitor) || (isClaimed === true && kept === entryOf("")));
  if (!isKept) storage.remove(key);
  let agreement = Promise.withResolvers<void>();
  let isAgreed = isKept || !consent.text || !consent.version;
  if (isAgreed) agreement.resolve();
  /** Withdraws the agreement, so that the visitor is asked again: the backend does not know of an agreement. */
  let revoke = (): void => undefined;

  /** Resolves when the visitor has agreed. Rejects when the request is aborted before. */
  const agreed = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => reject(signal.reason as Error);
      if (signal.aborted) giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      void agreement.promise.then(resolve);
    });
  const send = async <T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> => {
    await agreed(signal);
    try {
      return await act();
    } catch (error) {
      if (error instanceof HttpError && error.code === "consent_required") revoke();
      throw error;
    }
  };
  const { uploadAttachment, sendFeedback } = transport;
  const guarded: Transport = {
    ...transport,
    startRun: (threadId, run, signal, onSent) => send(signal, () => transport.startRun(threadId, run, signal, onSent)),
    renameThread: (...title) => agreement.promise.then(() => transport.renameThread(...title)),
    ...(sendFeedback && { sendFeedback: (...rating) => agreement.promise.then(() => sendFeedback(...rating)) }),
    ...(uploadAttachment && {
      uploadAttachment: (threadId, file, how) => send(how.signal, () => uploadAttachment(threadId, file, how)),
    }),
  };

  return {
    transport: guarded,
    guard(actions, context) {
      const { store } = context;
      /** The last action, other than sending a draft, that waits for the agreement. */
      let awaited: (() => unknown) | undefined;
      const show = (isAwaited: boolean) => store.set((state) => ({ ...state, consent: { ...consent, isAwaited } }));
      revoke = () => {
        if (!isAgreed) return;
        isAgreed = false;
        agreement = Promise.withResolvers();
        storage.remove(key);
        show(false);
      };
      if (!isAgreed) show(false);

      const agree = async () => {
        try {
          if (isKeptThere) await request(api, CONSENT_ROUTE, { json: { version: consent.version } });
        } catch (error) {
          const isOld = error instanceof HttpError && error.status === 422;
          // The host asks for another version of the consent now. The failure's text says to reload the page.
          throw isOld ? new HttpError(error.message, { status: 401 }) : error;
        }
        isAgreed = true;
        if (visitor !== undefined) storage.write(key, entryOf(visitor));
        store.set((state) => {
          const { consent: _, ...rest } = state;
          return rest;
        });
        agreement.resolve();
      };
      const asking = <T>(act: () => T): T => {
        if (!isAgreed) show(true);
        return act();
      };
      const whenAgreed = (act: () => unknown) => {
        if (isAgreed) return act();
        awaited = act;
        show(true);
        return context.focusComposer();
      };

      return {
        ...actions,
        async send(given) {
          if (isAgreed) return actions.send(given);
          /** The draft moves to the first thread that opens meanwhile. */
          const place = () => given ?? store.get().threads.activeId;
          const { status, text } = draftOf(store.get(), place());
          const isWritten = text.trim() !== "";
          if (status === "waiting" || !(isWritten || store.get().consent?.isAwaited)) return;
          store.set((state) => changeDraft(state, place(), holdDraft));
          try {
            await agree();
          } catch (error) {
            const failure = failureOf(context, error);
            store.set((state) => changeDraft(state, place(), (draft) => failDraft(draft, failure)));
            return;
          }
          store.set((state) => changeDraft(state, place(), reopenDraft));
          const act = awaited;
          awaited = undefined;
          await (isWritten ? actions.send(place()) : act?.());
        },
        async sendText(threadId, text) {
          if (isAgreed) return actions.sendText(threadId, text);
          actions.setDraft(threadId, text);
          context.focusComposer();
        },
        whenAgreed: (act) => void whenAgreed(act),
        // These actions wait in the transport. What the view shows of them does not change until then.
        renameThread: (...title) => asking(() => actions.renameThread(...title)),
        rate: (...rating) => asking(() => actions.rate(...rating)),
        regenerate: (...answer) => void whenAgreed(() => actions.regenerate(...answer)),
        retry: async (...message) => void (await whenAgreed(() => actions.retry(...message))),
        submitEdit: async (threadId) => void (await whenAgreed(() => actions.submitEdit(threadId))),
        async host() {
          const commands = await actions.host();
          return {
            ...commands,
            async send(...question) {
              await asking(() => agreed(context.signal));
              return commands.send(...question);
            },
            async eraseVisitor() {
              await commands.eraseVisitor();
              revoke();
            },
          };
        },
      };
    },
  };
}

/** A number that differs between visitors (FNV-1a), so that the storage does not name them. */
function digest(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return (hash >>> 0).toString(36);
}
