import { SpanStatusCode, context, trace } from "@opentelemetry/api";
import type { Attributes, Context } from "@opentelemetry/api";

/** A span of OpenTelemetry, and the spans inside it. It does nothing unless the host registers a tracer provider. */
export interface Trace {
  /** Runs `work` with the span active, so that the spans of its requests become children. */
  run<T>(work: () => T): T;
  child(name: string, attributes: Attributes): Trace;
  set(attributes: Attributes): void;
  /** @param type the kind of failure. The error's message is left out, because it may quote a visitor. */
  fail(type: string): void;
  end(): void;
}

/** Starts a span as a child of the active one. */
export function startTrace(name: string, attributes: Attributes): Trace {
  return begin(name, attributes, context.active());
}

function begin(name: string, attributes: Attributes, parent: Context): Trace {
  const span = trace.getTracer("nitka").startSpan(name, { attributes }, parent);
  const own = trace.setSpan(parent, span);
  return {
    run: (work) => context.with(own, work),
    child: (childName, childAttributes) => begin(childName, childAttributes, own),
    set: (more) => {
      span.setAttributes(more);
    },
    fail: (type) => {
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}
