import type { FileStore } from "@nitka/server";
import { StorageUnavailableError } from "@nitka/server";
import { INJECTED } from "./fault-plan.ts";
import type { Fault, FilesFault, StorageFault, UpstreamFault } from "./fault-plan.ts";

/** The faults of a life at the places where they may happen: each happens once. */
export class PlantedFaults {
  readonly #faults: readonly Fault[];
  readonly #onHit: (fault: Fault) => void;
  readonly #counts = new Map<string, number>();
  /** Nothing fails any more. */
  isOver = false;

  constructor(faults: readonly Fault[], onHit: (fault: Fault) => void) {
    this.#faults = faults;
    this.#onHit = onHit;
  }

  readonly ofStorage = (call: string): StorageFault | undefined =>
    this.#next(call, (fault) => (fault.where === "storage" && fault.call === call ? fault : undefined));

  readonly ofUpstream = (where: UpstreamFault["where"]): UpstreamFault | undefined =>
    this.#next(where, (fault) => (fault.where === where ? fault : undefined));

  readonly ofFiles = (call: FilesFault["call"]): FilesFault | undefined =>
    this.#next(call, (fault) => (fault.where === "files" && fault.call === call ? fault : undefined));

  /** The store of an instance's files, with the fault. */
  readonly files = (store: FileStore): FileStore => ({
    ...store,
    write: async (fileId, pieces) => {
      failFiles(this.ofFiles("write"));
      await store.write(fileId, pieces);
    },
    read: (fileId, range) => {
      failFiles(this.ofFiles("read"));
      return store.read(fileId, range);
    },
    delete: async (fileId) => {
      failFiles(this.ofFiles("delete"));
      await store.delete(fileId);
    },
  });

  /** Whether a line of a log is about one of them. */
  explains(line: string): boolean {
    if (line.includes(INJECTED)) return true;
    return this.#faults.some(({ where }) => where === "wire") && /onnection|terminated|unavailable/.test(line);
  }

  #next<Found extends Fault>(name: string, match: (fault: Fault) => Found | undefined): Found | undefined {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (this.isOver) return undefined;
    for (const fault of this.#faults) {
      const found = match(fault);
      if (found?.nth !== count) continue;
      this.#onHit(found);
      return found;
    }
    return undefined;
  }
}

function failFiles(fault: FilesFault | undefined): void {
  if (fault?.how === "refused") throw new StorageUnavailableError(`${INJECTED}: the store of files is away`);
  if (fault) throw new Error(`${INJECTED}: the store of files is broken`);
}
