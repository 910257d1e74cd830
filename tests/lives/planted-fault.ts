import type { FileStore } from "@nitka/server";
import { StorageUnavailableError } from "@nitka/server";
import { INJECTED } from "./fault-plan.ts";
import type { Fault, FilesFault, StorageFault, UpstreamFault } from "./fault-plan.ts";

/** The fault of a life at the places where it may happen: it happens once. */
export class PlantedFault {
  readonly #fault: Fault | undefined;
  readonly #onHit: () => void;
  readonly #counts = new Map<string, number>();
  isHit = false;
  /** Nothing fails any more. */
  isOver = false;

  constructor(fault: Fault | undefined, onHit: () => void) {
    this.#fault = fault;
    this.#onHit = onHit;
  }

  /** To be called when it has happened elsewhere. */
  readonly hit = (): void => {
    if (this.isHit) return;
    this.isHit = true;
    this.#onHit();
  };

  readonly ofStorage = (call: string): StorageFault | undefined => {
    const fault = this.#fault;
    return fault?.where === "storage" && fault.call === call && this.#isTurn(call, fault.nth) ? fault : undefined;
  };

  readonly ofUpstream = (where: UpstreamFault["where"]): UpstreamFault | undefined => {
    const fault = this.#fault;
    return fault?.where === where && this.#isTurn(where, fault.nth) ? fault : undefined;
  };

  readonly ofFiles = (call: FilesFault["call"]): FilesFault | undefined => {
    const fault = this.#fault;
    return fault?.where === "files" && fault.call === call && this.#isTurn(call, fault.nth) ? fault : undefined;
  };

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

  /** Whether a line of a log is about the fault. */
  explains(line: string): boolean {
    return line.includes(INJECTED) || (this.#fault?.where === "wire" && /onnection|terminated|unavailable/.test(line));
  }

  #isTurn(name: string, nth: number): boolean {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (count !== nth || this.isOver) return false;
    this.hit();
    return true;
  }
}

function failFiles(fault: FilesFault | undefined): void {
  if (fault?.how === "refused") throw new StorageUnavailableError(`${INJECTED}: the store of files is away`);
  if (fault) throw new Error(`${INJECTED}: the store of files is broken`);
}
