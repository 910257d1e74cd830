import type { PageTool } from "@nitka/protocol";
import type { ToolSet } from "ai";
import { jsonSchema, tool } from "ai";
import { valueProblem } from "./value-problem.ts";

/**
 * The page's tools for a request to the model, without `execute`, since the page runs them. They are apart from `declareTools`
 * because they need `ai`, which a server with MCP tools alone does not load.
 */
export function pageToolSet(tools: readonly PageTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters, { validate: (value) => checked(parameters, value) }),
      }),
    ]),
  );
}

function checked(parameters: PageTool["parameters"], value: unknown) {
  const problem = valueProblem(parameters, value);
  return problem === undefined
    ? ({ success: true, value } as const)
    : ({ success: false, error: new Error(problem) } as const);
}
