import { PerformanceObserver, constants, monitorEventLoopDelay } from "node:perf_hooks";
import type { PerformanceEntry } from "node:perf_hooks";
import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";

/** How often the event loop is looked at: what holds it for less is not seen. */
const RESOLUTION_MS = 10;

/** Shows for how long the event loop is held and the collector of garbage works. Returns its stop. */
export function watchProcess(registry: Registry): () => void {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const held = new Gauge({
    name: "nitka_event_loop_delay_seconds",
    help: "How late the event loop came to its timers since the last look, by quantile (1 is the worst)",
    labelNames: ["quantile"],
    registers,
    collect() {
      for (const quantile of [0.5, 0.99, 1]) {
        const nanoseconds = delay.count === 0 ? 0 : delay.percentile(quantile * 100);
        held.set({ quantile: String(quantile) }, nanoseconds / 1e9);
      }
      delay.reset();
    },
  });
  const collecting = new Counter({
    name: "nitka_gc_seconds_total",
    help: "Time in which garbage was collected and nothing else was done, by kind",
    labelNames: ["kind"],
    registers,
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration, detail } = entry as PerformanceEntry & { readonly detail?: { readonly kind?: number } };
      collecting.inc({ kind: kinds.get(detail?.kind ?? -1) ?? "other" }, duration / 1000);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => {
    delay.disable();
    observer.disconnect();
  };
}

const kinds: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weak callbacks"],
]);
