import { createDemoModel } from "@nitka/demo-model";
import { createAnthropicModel } from "@nitka/server/anthropic";
import { createGoogleModel } from "@nitka/server/google";
import { createOpenAiCompatibleModel, createOpenAiModel } from "@nitka/server/openai-compatible";
import type { Model } from "@nitka/server";
import type { ProviderModelOptions } from "@nitka/server/openai-compatible";
import type { ModelFields, ProviderFields } from "./config/model-fields.ts";
import type { ProjectFields } from "./config/project-fields.ts";
import type { Env } from "./read-env.ts";

/** The model of an OpenAI-compatible upstream when no setting names one. */
const OPENAI_MODEL = "gpt-4o-mini";

/** The settings that determine which models are available. */
export interface ModelSources {
  readonly env: Pick<
    Env,
    | "OPENAI_BASE_URL"
    | "OPENAI_API_KEY"
    | "ANTHROPIC_API_KEY"
    | "GOOGLE_GENERATIVE_AI_API_KEY"
    | "NITKA_MODEL"
    | "NITKA_DEMO_SPEED"
  >;
  /** The providers of the config file, by name. */
  readonly providers: Readonly<Record<string, ProviderFields>>;
}

/**
 * A model as a setting or the config file names it: `demo`, `<provider>:<model>`, or a model name at the environment's
 * upstream.
 */
export type ModelName = Partial<ModelFields> & Pick<ModelFields, "id">;

/** The model of a project without a model setting. */
export function defaultModelId({ env: { NITKA_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY } }: ModelSources): string {
  if (NITKA_MODEL !== undefined) return NITKA_MODEL;
  return OPENAI_BASE_URL !== undefined || OPENAI_API_KEY !== undefined ? OPENAI_MODEL : "demo";
}

/** The models of a project that its visitors choose from. */
export function modelNames(
  { models, model }: Pick<ProjectFields, "models" | "model">,
  sources: ModelSources,
): readonly ModelName[] {
  return models ?? [{ id: model ?? defaultModelId(sources) }];
}

/** The missing setting that a model requires, as a phrase; `undefined` when nothing is missing. */
export function missingSetting(id: string, sources: ModelSources): string | undefined {
  return id === "demo" ? undefined : placeOf(id, sources).missing;
}

/** Whether a model's service is told who asks. */
export function isToldWhoAsks(id: string, sources: ModelSources): boolean {
  return id !== "demo" && placeOf(id, sources).provider.identify === true;
}

/** The options that a project gives to all its models. */
export type ModelOptions = Pick<
  ProviderModelOptions,
  | "openTools"
  | "knownTools"
  | "title"
  | "suggest"
  | "fetch"
  | "maxSteps"
  | "maxOutputTokens"
  | "temperature"
  | "reasoningEffort"
> & {
  /** The project's secret. It signs the visitor's token for providers with `identify`. */
  readonly secret?: string;
};

/** Makes a model from its name and the settings. */
export function createModel(
  { id, name, tools, ...own }: ModelName,
  sources: ModelSources,
  { secret, ...options }: ModelOptions = {},
): Model {
  if (id === "demo") return createDemoModel({ id, name: name ?? "Демо", speed: sources.env.NITKA_DEMO_SPEED });
  const { model, provider } = placeOf(id, sources);
  const { type, baseUrl, identify: isTold = false, ...access } = provider;
  const named = {
    ...options,
    ...own,
    ...access,
    ...(tools === undefined ? {} : { sendsTools: tools }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(isTold && secret !== undefined ? { identify: { server: id.slice(0, id.indexOf(":")), secret } } : {}),
    id,
    name: name ?? id,
    model,
  };
  if (type === "openai-compatible") return createOpenAiCompatibleModel({ ...named, baseUrl });
  return { anthropic: createAnthropicModel, google: createGoogleModel, openai: createOpenAiModel }[type](named);
}

/** A description of the model, for the start message and `nitka check`. */
export function describeModel(id: string, sources: ModelSources): string {
  if (id === "demo") {
    return defaultModelId(sources) === "demo" && sources.env.NITKA_MODEL === undefined
      ? "the built-in demo (set OPENAI_BASE_URL, OPENAI_API_KEY and NITKA_MODEL for a real one)"
      : "the built-in demo";
  }
  const { provider, model } = placeOf(id, sources);
  if (provider.baseUrl !== undefined) return `${model} at ${new URL(provider.baseUrl).host}`;
  return `${model} by ${makers[provider.type]}`;
}

const makers = { anthropic: "Anthropic", google: "Google", openai: "OpenAI", "openai-compatible": "an upstream" };

interface Place {
  readonly provider: ProviderFields;
  /** The provider's own name of the model. */
  readonly model: string;
  readonly missing?: string | undefined;
}

/**
 * The provider of a model. A prefix that is not a provider belongs to the model's name at the environment's upstream.
 *
 * @example placeOf("anthropic:claude-sonnet-4-5", sources).provider.type // "anthropic"
 * @example placeOf("llama3.2:3b", sources).model // "llama3.2:3b"
 */
export function placeOf(id: string, { env, providers }: ModelSources): Place {
  const [prefix, rest] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
  const ofFile = Object.hasOwn(providers, prefix) ? providers[prefix] : undefined;
  if (ofFile) return { provider: ofFile, model: rest };
  if (prefix === "anthropic") return keyed("anthropic", rest, "ANTHROPIC_API_KEY", env);
  if (prefix === "google") return keyed("google", rest, "GOOGLE_GENERATIVE_AI_API_KEY", env);
  const model = prefix === "openai" ? rest : id;
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey } = env;
  const key = apiKey === undefined ? {} : { apiKey };
  if (baseUrl !== undefined) return { provider: { type: "openai-compatible", baseUrl, ...key }, model };
  const missing = apiKey === undefined ? `OPENAI_BASE_URL or OPENAI_API_KEY${otherProviders(providers)}` : undefined;
  return { provider: { type: "openai", ...key }, model, missing };
}

function keyed(
  type: "anthropic" | "google",
  model: string,
  setting: "ANTHROPIC_API_KEY" | "GOOGLE_GENERATIVE_AI_API_KEY",
  env: ModelSources["env"],
): Place {
  const apiKey = env[setting];
  return apiKey === undefined ? { provider: { type }, model, missing: setting } : { provider: { type, apiKey }, model };
}

/** A name without a known provider may contain a typo. */
function otherProviders(providers: ModelSources["providers"]): string {
  const names = Object.keys(providers);
  return names.length === 0 ? "" : `, or one of the file's providers (${names.join(", ")}) before a colon,`;
}
