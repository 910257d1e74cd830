import { z } from "zod";
import type { AnyOperation } from "./operation.ts";
import { problem } from "./wire-schemas.ts";

/** The OpenAPI 3.1 document of all operations, made from the schemas that validate their requests. */
export function openApiDocument(operations: readonly AnyOperation[]): Readonly<Record<string, unknown>> {
  const shapes = createShapes();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    for (const [prefix, isOfProject] of [
      ["", false],
      ["/p/{projectId}", true],
    ] as const) {
      const path = prefix + operation.path.replace(/:id\b/, `{${idName(operation)}}`).replace(/:(\w+)/, "{$1}");
      (paths[path] ??= {})[operation.method.toLowerCase()] = describe(operation, isOfProject, shapes);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Nitka",
      version: "1",
      description:
        "Threads, messages and runs of a visitor. The operations under /p/{projectId} are those of a named project.",
    },
    paths,
    components: {
      schemas: shapes.named(),
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

/** JSON Schemas for the document. Named schemas are collected, so that each appears once under `components`. */
interface Shapes {
  /** The schema itself; for a named schema, a reference to it. */
  of(schema: z.ZodType): unknown;
  /** The named schemas, by name. */
  named(): Readonly<Record<string, unknown>>;
}

function createShapes(): Shapes {
  const named: Record<string, unknown> = {};
  return {
    of(schema) {
      const { $defs, $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input", reused: "inline" });
      for (const [name, definition] of Object.entries($defs ?? {})) named[name] ??= withDocumentReferences(definition);
      return withDocumentReferences(shape);
    },
    named: () => named,
  };
}

/** Zod references `#/$defs/Name`; an OpenAPI document has the same schema at `#/components/schemas/Name`. */
function withDocumentReferences(shape: unknown): unknown {
  return JSON.parse(JSON.stringify(shape).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function describe(operation: AnyOperation, isOfProject: boolean, shapes: Shapes): unknown {
  const { name, summary, body, query, responses, takes } = operation;
  const parameters = [
    ...(isOfProject ? [inPath("projectId")] : []),
    ...(operation.path.includes(":id") ? [inPath(idName(operation))] : []),
    ...(operation.path.includes(":messageId") ? [inPath("messageId")] : []),
    ...(query ? inQuery(query) : []),
  ];
  const form = { type: "object", required: ["file"], properties: { file: { type: "string", format: "binary" } } };
  return {
    operationId: isOfProject ? `${name}OfProject` : name,
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: shapes.of(body) } } } } : {}),
    ...(takes === "upload"
      ? { requestBody: { required: true, content: { "multipart/form-data": { schema: form } } } }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, { description, contentType = "application/json", schema }]) => [
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

/** The name of a path's `:id` in the document. */
function idName({ path }: AnyOperation): string {
  if (path.startsWith("/api/projects/")) return "id";
  return path.includes("/attachments/:id") ? "attachmentId" : "threadId";
}
