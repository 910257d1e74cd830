/** Milliseconds for which an instance counts as a reader of a run after it has said so. */
const LEASE_MS = 15_000;

/** Runs with leases beyond which those that have run out are looked for. */
const SWEEP_FROM = 1_000;

/** Which other instances read along with this instance's runs. */
export interface RunLeases {
  /** Returns the runs that the instance did not follow before. */
  add(instanceId: string, runIds: readonly string[]): readonly string[];
  isFollowed(runId: string): boolean;
  /** The instances that follow any of the runs, and which of them. */
  followersOf(runIds: Iterable<string>): ReadonlyMap<string, readonly string[]>;
  /** Forgets runs that are over. */
  drop(runIds: readonly string[]): void;
}

export function createRunLeases(now: () => number = () => performance.now()): RunLeases {
  /** By run and instance: until when. */
  const leases = new Map<string, Map<string, number>>();

  function live(runId: string): readonly string[] {
    const ofRun = leases.get(runId);
    if (!ofRun) return [];
    const time = now();
    for (const [instanceId, until] of ofRun) if (until <= time) ofRun.delete(instanceId);
    if (ofRun.size === 0) leases.delete(runId);
    return [...ofRun.keys()];
  }

  return {
    add(instanceId, runIds) {
      // What nobody asks for any more, such as a run that ended before its lease came, would stay for ever.
      if (leases.size > SWEEP_FROM) for (const runId of leases.keys()) live(runId);
      const until = now() + LEASE_MS;
      return runIds.filter((runId) => {
        const isNew = !live(runId).includes(instanceId);
        const ofRun = leases.get(runId) ?? new Map<string, number>();
        leases.set(runId, ofRun.set(instanceId, until));
        return isNew;
      });
    },
    isFollowed: (runId) => live(runId).length > 0,
    followersOf(runIds) {
      const followers = new Map<string, string[]>();
      if (leases.size === 0) return followers;
      for (const runId of runIds) {
        for (const instanceId of live(runId)) {
          const followed = followers.get(instanceId);
          if (followed) followed.push(runId);
          else followers.set(instanceId, [runId]);
        }
      }
      return followers;
    },
    drop(runIds) {
      for (const runId of runIds) leases.delete(runId);
    },
  };
}
