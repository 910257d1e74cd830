/** Whose data: a visitor of a project. Whatever a visitor may reach takes one, so that it cannot be forgotten. */
export interface Owner {
  readonly projectId: string;
  readonly visitorId: string;
}
