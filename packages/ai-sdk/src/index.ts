/** Our server behind `useChat` of `@ai-sdk/react`, Vue or Svelte. */
export { createNitkaTransport } from "./nitka-transport.ts";
export type { PageTools, TransportOptions } from "./nitka-transport.ts";
export { toUiMessage } from "./to-ui-message.ts";
