import { z } from "zod";
import type { AnyOperation } from "./operation.ts";
import { problem } from "./wire.ts";

/** The document (OpenAPI 3.1) that describes every call, made of the schemas that check them. */
export function openApiDocument(operations: readonly AnyOperation[]): Readonly<Record<string, unknown>> {
  const shapes = createShapes();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    for (const [prefix, project] of [
      ["", false],
      ["/p/{projectId}", true],
    ] as const) {
      const path = prefix + operation.path.replace(":id", `{${idName(operation)}}`);
      (paths[path] ??= {})[operation.method.toLowerCase()] = describe(operation, project, shapes);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Nitka",
      version: "1",
      description:
        "Threads, messages and runs of a visitor. The calls under /p/{projectId} are those of a named project.",
    },
    paths,
    components: {
      schemas: shapes.all(),
      securitySchemes: {
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-nitka_visitor",
          description: "over plain HTTP: nitka_visitor",
        },
        bearer: { type: "http", scheme: "bearer", description: "the config's visitor.token, or the host's own JWT" },
      },
    },
    security: [{ cookie: [] }, { bearer: [] }, {}],
  };
}

interface Shapes {
  /** The schema in place, or a reference to it where it has a name. */
  of(schema: z.ZodType): unknown;
  all(): Readonly<Record<string, unknown>>;
}

function createShapes(): Shapes {
  const named: Record<string, unknown> = {};
  return {
    of(schema) {
      const { $defs, $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input", reused: "inline" });
      for (const [name, definition] of Object.entries($defs ?? {})) named[name] ??= pointed(definition);
      return pointed(shape);
    },
    all: () => named,
  };
}

/** References lead to the document's own place for schemas. */
function pointed(shape: unknown): unknown {
  return JSON.parse(JSON.stringify(shape).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function describe(operation: AnyOperation, project: boolean, shapes: Shapes): unknown {
  const { name, summary, body, query, answers, takes } = operation;
  const parameters = [
    ...(project ? [inPath("projectId")] : []),
    ...(operation.path.includes(":id") ? [inPath(idName(operation))] : []),
    ...(query ? inQuery(query) : []),
  ];
  const form = { type: "object", required: ["file"], properties: { file: { type: "string", format: "binary" } } };
  return {
    operationId: project ? `${name}OfProject` : name,
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: shapes.of(body) } } } } : {}),
    ...(takes === "upload"
      ? { requestBody: { required: true, content: { "multipart/form-data": { schema: form } } } }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, { description, contentType = "application/json", schema }]) => [
          status,
          schema || contentType !== "application/json"
            ? { description, content: { [contentType]: schema ? { schema: shapes.of(schema) } : {} } }
            : { description },
        ]),
      ),
      default: { description: "what is wrong", content: { "application/json": { schema: shapes.of(problem) } } },
    },
  };
}

function inPath(name: string): unknown {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function inQuery(query: z.ZodType): readonly unknown[] {
  const { properties = {} } = z.toJSONSchema(query, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
}

/** What the `:id` of a path is. */
function idName({ path }: AnyOperation): string {
  if (path.startsWith("/api/projects/")) return "id";
  return path.includes("/attachments/:id") ? "attachmentId" : "threadId";
}
