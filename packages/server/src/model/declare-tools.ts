import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { asSchema } from "@ai-sdk/provider-utils";
import type { ToolSet } from "ai";

type Declared = NonNullable<LanguageModelV4CallOptions["tools"]>[number];

/** The tools in the form of a provider's request; `undefined` when there are none. */
export async function declareTools(tools: ToolSet): Promise<Declared[] | undefined> {
  const declared = await Promise.all(Object.entries(tools).map(([name, tool]) => declare(name, tool)));
  return declared.length === 0 ? undefined : declared;
}

async function declare(name: string, tool: ToolSet[string]): Promise<Declared> {
  if (tool.type === "provider") return { type: "provider", name, id: tool.id, args: tool.args };
  const { description, inputExamples, providerOptions, strict } = tool;
  return {
    type: "function",
    name,
    inputSchema: await asSchema(tool.inputSchema).jsonSchema,
    ...(description === undefined
      ? {}
      : { description: typeof description === "string" ? description : description({ context: {} as never }) }),
    ...(inputExamples === undefined ? {} : { inputExamples }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(strict === undefined ? {} : { strict }),
  };
}
