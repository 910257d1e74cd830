import { createDemoModel } from "@nitka/demo-model";
import { createAnthropicModel } from "@nitka/server/anthropic";
import { createGoogleModel } from "@nitka/server/google";
import { createOpenAiCompatibleModel } from "@nitka/server/openai-compatible";
import type { Model } from "@nitka/server";
import type { ProviderModelOptions } from "@nitka/server/openai-compatible";
import type { Env } from "./env.ts";

const OPENAI = "https://api.openai.com/v1";

/** The model of an OpenAI-compatible upstream when no setting names one. */
const OPENAI_MODEL = "gpt-4o-mini";

/** The settings that decide which models are available. */
export type ModelSettings = Pick<
  Env,
  | "OPENAI_BASE_URL"
  | "OPENAI_API_KEY"
  | "ANTHROPIC_API_KEY"
  | "GOOGLE_GENERATIVE_AI_API_KEY"
  | "NITKA_MODEL"
  | "NITKA_DEMO_SPEED"
>;

/** A model as a setting or the config file names it. */
export interface ModelName {
  /** `demo`, `anthropic:…`, `google:…`, or the name of a model at the OpenAI-compatible upstream. */
  readonly id: string;
  readonly name?: string | undefined;
}

/** The model of a project that names none. */
export function defaultModelId({ NITKA_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY }: ModelSettings): string {
  if (NITKA_MODEL !== undefined) return NITKA_MODEL;
  return OPENAI_BASE_URL !== undefined || OPENAI_API_KEY !== undefined ? OPENAI_MODEL : "demo";
}

/** The setting that a model needs and that is not set, as a phrase; `undefined` when nothing is missing. */
export function missingSetting(id: string, settings: ModelSettings): string | undefined {
  switch (providerOf(id)) {
    case "demo":
      return undefined;
    case "anthropic":
      return settings.ANTHROPIC_API_KEY === undefined ? "ANTHROPIC_API_KEY" : undefined;
    case "google":
      return settings.GOOGLE_GENERATIVE_AI_API_KEY === undefined ? "GOOGLE_GENERATIVE_AI_API_KEY" : undefined;
    default:
      return settings.OPENAI_BASE_URL === undefined && settings.OPENAI_API_KEY === undefined
        ? "OPENAI_BASE_URL or OPENAI_API_KEY"
        : undefined;
  }
}

/** The options that a project gives to all its models. */
export type ModelOptions = Pick<
  ProviderModelOptions,
  "openTools" | "knownTools" | "title" | "maxSteps" | "maxOutputTokens" | "temperature" | "reasoningEffort"
>;

/** Makes a model from its name and the settings. */
export function createModel({ id, name }: ModelName, settings: ModelSettings, options: ModelOptions = {}): Model {
  const named = { ...options, id, name: name ?? id };
  const { OPENAI_BASE_URL, OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY } = settings;
  switch (providerOf(id)) {
    case "demo":
      return createDemoModel({ id, name: name ?? "Демо", speed: settings.NITKA_DEMO_SPEED });
    case "anthropic":
      return createAnthropicModel({ ...named, model: withoutPrefix(id), ...key(ANTHROPIC_API_KEY) });
    case "google":
      return createGoogleModel({ ...named, model: withoutPrefix(id), ...key(GOOGLE_GENERATIVE_AI_API_KEY) });
    default: {
      const model = id.startsWith("openai:") ? withoutPrefix(id) : id;
      return createOpenAiCompatibleModel({
        ...named,
        model,
        baseUrl: OPENAI_BASE_URL ?? OPENAI,
        ...key(OPENAI_API_KEY),
      });
    }
  }
}

/** The model in words, for the start message and `nitka check`. */
export function describeModel(id: string, settings: ModelSettings): string {
  const { OPENAI_BASE_URL } = settings;
  switch (providerOf(id)) {
    case "demo":
      return defaultModelId(settings) === "demo" && settings.NITKA_MODEL === undefined
        ? "the built-in demo (set OPENAI_BASE_URL, OPENAI_API_KEY and NITKA_MODEL for a real one)"
        : "the built-in demo";
    case "anthropic":
      return `${withoutPrefix(id)} by Anthropic`;
    case "google":
      return `${withoutPrefix(id)} by Google`;
    default:
      return `${id} at ${new URL(OPENAI_BASE_URL ?? OPENAI).host}`;
  }
}

/**
 * The provider in a model's id. A prefix that names no provider belongs to the name of the model.
 *
 * @example providerOf("anthropic:claude-sonnet-4-5") // "anthropic"
 * @example providerOf("llama3.2:3b") // "openai"
 */
function providerOf(id: string): "demo" | "anthropic" | "google" | "openai" {
  if (id === "demo") return "demo";
  if (id.startsWith("anthropic:")) return "anthropic";
  return id.startsWith("google:") ? "google" : "openai";
}

function withoutPrefix(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}

function key(apiKey: string | undefined): { readonly apiKey?: string } {
  return apiKey === undefined ? {} : { apiKey };
}
