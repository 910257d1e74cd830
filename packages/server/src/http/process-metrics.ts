import { PerformanceObserver, constants, monitorEventLoopDelay } from "node:perf_hooks";
import type { PerformanceEntry } from "node:perf_hooks";
import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import { LOOP_SAMPLE_MS } from "../services/timings.ts";

/** Registers metrics of the event loop's delay and of garbage collection. Returns a function that stops both. */
export function watchProcess(registry: Registry): () => void {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });
  delay.enable();
  const loopDelay = new Gauge({
    name: "nitka_event_loop_delay_seconds",
    help: "Delay of the event loop since the last scrape, by quantile (1 is the worst)",
    labelNames: ["quantile"],
    registers,
    collect() {
      for (const quantile of [0.5, 0.99, 1]) {
        const nanoseconds = delay.count === 0 ? 0 : delay.percentile(quantile * 100);
        loopDelay.set({ quantile: String(quantile) }, nanoseconds / 1e9);
      }
      delay.reset();
    },
  });
  const collecting = new Counter({
    name: "nitka_gc_seconds_total",
    help: "Time of garbage collection, during which nothing else runs, by kind",
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
