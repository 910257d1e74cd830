/** The duration of a lease in milliseconds: for this long an instance counts as a follower of a run. */
const LEASE_MS = 15_000;

/** Milliseconds after which a follower renews its lease. Two renewals in a row may be lost. */
export const RENEWAL_MS = LEASE_MS / 3;

/** With more leased runs than this, adding a lease removes the expired ones. */
const SWEEP_FROM = 1_000;

/** The leases of other instances on this instance's runs: which instance follows which run. */
export interface RunLeases {
  /** Adds or renews leases. Returns the runs that the instance did not follow before. */
  add(instanceId: string, runIds: readonly string[]): readonly string[];
  isFollowed(runId: string): boolean;
  /** The instances that follow any of the runs, each with the runs it follows. */
  followersOf(runIds: Iterable<string>): ReadonlyMap<string, readonly string[]>;
  /** Removes the leases on runs that have ended. */
  remove(runIds: readonly string[]): void;
}

export function createRunLeases(now: () => number = () => performance.now()): RunLeases {
  /** The time when each lease ends, by run and instance. */
  const leases = new Map<string, Map<string, number>>();

  function followersOfRun(runId: string): readonly string[] {
    const ofRun = leases.get(runId);
    if (!ofRun) return [];
    const time = now();
    for (const [instanceId, until] of ofRun) if (until <= time) ofRun.delete(instanceId);
    if (ofRun.size === 0) leases.delete(runId);
    return [...ofRun.keys()];
  }

  return {
    add(instanceId, runIds) {
      // Without this, a lease that arrives after its run has ended would stay for ever.
      if (leases.size > SWEEP_FROM) for (const runId of leases.keys()) followersOfRun(runId);
      const until = now() + LEASE_MS;
      return runIds.filter((runId) => {
        const isNew = !followersOfRun(runId).includes(instanceId);
        const ofRun = leases.get(runId) ?? new Map<string, number>();
        leases.set(runId, ofRun.set(instanceId, until));
        return isNew;
      });
    },
    isFollowed: (runId) => followersOfRun(runId).length > 0,
    followersOf(runIds) {
      const followers = new Map<string, string[]>();
      if (leases.size === 0) return followers;
      for (const runId of runIds) {
        for (const instanceId of followersOfRun(runId)) {
          const followed = followers.get(instanceId);
          if (followed) followed.push(runId);
          else followers.set(instanceId, [runId]);
        }
      }
      return followers;
    },
    remove(runIds) {
      for (const runId of runIds) leases.delete(runId);
    },
  };
}
