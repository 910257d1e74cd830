/** The names of the texts for tool calls that wait for the visitor. */
export interface ApprovalWords {
  readonly required: string;
  readonly allow: string;
  readonly deny: string;
  readonly waiting: string;
  readonly allowed: string;
  readonly denied: string;
  readonly elsewhere: string;
  readonly activity: string;
  readonly failed: string;
  readonly yes: string;
  readonly no: string;
  readonly showAll: string;
}
