import type { FileStore } from "@nitka/server";
import { StorageUnavailableError } from "@nitka/server";
import { setTimeout as sleep } from "node:timers/promises";
import { INJECTED } from "./fault.ts";
import type { Fault } from "./fault.ts";

/** The faults of a life at their places. Each happens once. */
export class PlantedFaults {
  readonly #faults: readonly Fault[];
  readonly #onHit: (fault: Fault) => void;
  readonly #counts = new Map<string, number>();
  readonly #happened: Fault[] = [];
  /** Nothing fails any more. */
  isOver = false;

  constructor(faults: readonly Fault[], onHit: (fault: Fault) => void) {
    this.#faults = faults;
    this.#onHit = onHit;
  }

  /** The faults that have happened or are happening. */
  get happened(): readonly Fault[] {
    return this.#happened;
  }

  /** Whether one of the faults is still due at this place. */
  awaits(where: Fault["where"]): boolean {
    return this.#faults.some((fault) => fault.where === where);
  }

  /** The fault of the next call of a place. */
  next(where: Fault["where"], call: string): Fault | undefined {
    const name = `${where} ${call}`;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const found = this.#faults.find((fault) => fault.where === where && fault.call === call && fault.nth === count);
    if (!found || this.isOver) return undefined;
    this.#happened.push(found);
    this.#onHit(found);
    return found;
  }

  /** The store of an instance's files, with the fault. */
  readonly files = (store: FileStore): FileStore => ({
    ...store,
    write: async (fileId, pieces) => {
      await failFiles(this.next("files", "write"));
      await store.write(fileId, pieces);
    },
    read: (fileId, range) => afterFault(this.next("files", "read"), () => store.read(fileId, range)),
    delete: async (fileId) => {
      await failFiles(this.next("files", "delete"));
      await store.delete(fileId);
    },
  });

  /** Whether a log line is about one of the faults. */
  explains(line: string): boolean {
    if (line.includes(INJECTED)) return true;
    return this.#happened.some(({ where }) => where === "wire") && /onnection|terminated|unavailable/.test(line);
  }
}

async function failFiles(fault: Fault | undefined): Promise<void> {
  if (fault?.how === "slow") await sleep(fault.ms);
  else if (fault?.how === "refused") throw new StorageUnavailableError(`${INJECTED}: the store of files is away`);
  else if (fault) throw new Error(`${INJECTED}: the store of files is broken`);
}

async function* afterFault<T>(fault: Fault | undefined, read: () => AsyncIterable<T>): AsyncGenerator<T> {
  await failFiles(fault);
  yield* read();
}
