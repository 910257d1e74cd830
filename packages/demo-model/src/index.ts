/** The demo model, for a server without a provider's key. */
export { createDemoModel } from "./demo-model.ts";
export type { DemoModelOptions } from "./demo-model.ts";
