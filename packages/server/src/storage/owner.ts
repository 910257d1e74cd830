/**
 * A visitor of a project. Every method that a visitor's request can reach takes an owner, so that no query can forget to
 * filter by it.
 */
export interface Owner {
  readonly projectId: string;
  readonly visitorId: string;
}
