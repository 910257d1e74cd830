/** Who asks, for the servers of tools that are told. */
export interface VisitorIdentity {
  /** As the host names the visitor; of an anonymous visitor the id on this server. */
  readonly sub: string;
  readonly anonymous: boolean;
  readonly project: string;
  readonly thread: string;
  /** The claims of the host's token beside the registered ones. */
  readonly claims: Readonly<Record<string, unknown>>;
}
