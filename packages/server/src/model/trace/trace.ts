import { SpanStatusCode, context, trace } from "@opentelemetry/api";
import type { Attributes, Context } from "@opentelemetry/api";

/** A span of OpenTelemetry, and the spans inside it. Without a tracer provider of the host's it does nothing. */
export interface Trace {
  /** Does something inside the span: what it starts, such as requests, belongs to it. */
  within<T>(work: () => T): T;
  child(name: string, attributes: Attributes): Trace;
  set(attributes: Attributes): void;
  /** @param type what kind of failure it was; its words stay out, they may repeat what a visitor wrote */
  failed(type: string): void;
  end(): void;
}

/** Begins a span inside the one that is active. */
export function startTrace(name: string, attributes: Attributes): Trace {
  return begin(name, attributes, context.active());
}

function begin(name: string, attributes: Attributes, parent: Context): Trace {
  const span = trace.getTracer("nitka").startSpan(name, { attributes }, parent);
  const own = trace.setSpan(parent, span);
  return {
    within: (work) => context.with(own, work),
    child: (childName, childAttributes) => begin(childName, childAttributes, own),
    set: (more) => {
      span.setAttributes(more);
    },
    failed: (type) => {
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}
