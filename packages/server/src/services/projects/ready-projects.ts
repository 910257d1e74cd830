/** The projects after validation, with their defaults. */
import { fullAttachmentRules } from "@nitka/protocol/attachment-rules";
import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import { SEARCH_SITE } from "../../knowledge.ts";
import type { Knowledge } from "../../knowledge.ts";
import type { Model } from "../../model/model.ts";
import type { RunVisitor } from "../../model/run-visitor.ts";
import { approveEntry, approveRule } from "../tools/approve-rule.ts";
import { defaultLimits } from "./project.ts";
import type { Limits, Project } from "./project.ts";
import { matchesTool } from "../tools/tool-rule.ts";
import { TOOL_VIEWS } from "../tools/tool-views.ts";
import type { ToolViews } from "../tools/tool-views.ts";
import { readyWebhooks } from "../webhooks/webhook.ts";
import type { Webhook } from "../webhooks/webhook.ts";

export interface ReadyProject {
  readonly id: string;
  readonly config: NonNullable<Project["config"]>;
  readonly models: ReadonlyMap<string, Model>;
  /** The ids of models that it had before a replacement. Pages that were open then still name them, and get `model`. */
  readonly formerModels: ReadonlySet<string>;
  /** The model for visitors who have not chosen one. */
  readonly model: Model;
  readonly instructions: string | undefined;
  readonly knowledge: Knowledge | undefined;
  /** Origins in the format of the `Origin` header. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly limits: Limits;
  readonly mustApprove: RunVisitor["mustApprove"];
  /** `undefined` for a project without attachments. */
  readonly attachments: FullAttachmentRules | undefined;
  readonly secret: string | undefined;
  readonly shareClaims: readonly string[];
  readonly followUps: boolean;
  readonly webhooks: readonly Webhook[];
  /** `undefined` for a project that shows its tools' calls completely. */
  readonly toolViews: ToolViews | undefined;
  /** `undefined` to use the server's option. */
  readonly retentionDays: number | null | undefined;
  readonly archiveDays: number | null | undefined;
}

/** A shorter key could be guessed from a signed text. */
export const MIN_SECRET_CHARS = 16;

/** The most characters of a consent's version, which is stored for each visitor who accepts it. */
export const MAX_VERSION_CHARS = 200;

/**
 * @param hostNames whether the host identifies the sender of a request itself: then claims come without tokens
 * @throws TypeError naming the first invalid setting
 */
export function readyProjects(
  projects: Readonly<Record<string, Project>>,
  hostNames = false,
): ReadonlyMap<string, ReadyProject> {
  const entries = Object.entries(projects);
  if (entries.length === 0) {
    throw new TypeError("projects is empty: name at least one, such as { default: { models: [model] } }.");
  }
  return new Map(entries.map(([id, project]) => [id, readyProject(id, project, hostNames)]));
}

function readyProject(id: string, project: Project, hostNames: boolean): ReadyProject {
  const name = `projects[${JSON.stringify(id)}]`;
  if (!/^[\w.~-]{1,64}$/.test(id)) {
    throw new TypeError(
      `${name}: a project's id is a part of addresses; use 1 to 64 of the characters A-Z a-z 0-9 . _ ~ -`,
    );
  }
  const models = new Map(project.models.map((model) => [model.id, model]));
  if (models.size < project.models.length) throw new TypeError(`${name}.models holds two models of the same id.`);
  const model = project.model === undefined ? project.models[0] : models.get(project.model);
  if (!model) {
    throw new TypeError(
      models.size === 0
        ? `${name}.models is empty: a project needs a model that answers.`
        : `${name}.model is ${JSON.stringify(project.model)}, but its models are ${[...models.keys()].join(", ")}.`,
    );
  }
  if (project.secret !== undefined && project.secret.length < MIN_SECRET_CHARS) {
    throw new TypeError(
      `${name}.secret is too short: anyone who guesses it can sign in as any visitor. Leave it out, or give it at least ${MIN_SECRET_CHARS} random characters.`,
    );
  }
  if (project.shareClaims && project.secret === undefined && !hostNames) {
    throw new TypeError(
      `${name}.shareClaims needs ${name}.secret: claims come with the host's tokens, which it verifies, or by the option identify.`,
    );
  }
  readyConsent(project, name);
  return {
    id,
    config: project.config ?? {},
    models,
    formerModels: new Set(),
    model,
    instructions: project.instructions,
    knowledge: project.knowledge,
    allowedOrigins: new Set(project.allowedOrigins?.map((origin) => originOf(origin, name))),
    limits: readyLimits(project.limits, name),
    mustApprove: approveRule(readyApprove(project.approve, name)),
    attachments: fullAttachmentRules(project.config?.attachments),
    secret: project.secret,
    shareClaims: project.shareClaims ?? [],
    followUps: project.followUps ?? false,
    webhooks: readyWebhooks(project.webhooks, name),
    toolViews: readyViews(project, name),
    retentionDays: readyDays(project, "retentionDays", name),
    archiveDays: readyDays(project, "archiveDays", name),
  };
}

/** The project that replaces another one, which has the same id. */
export function replacing(project: ReadyProject, former: ReadyProject | undefined): ReadyProject {
  if (!former) return project;
  return { ...project, formerModels: new Set([...former.formerModels, ...former.models.keys()]) };
}

function originOf(text: string, name: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin === "null") {
    throw new TypeError(
      `${name}.allowedOrigins holds ${JSON.stringify(text)}: write an origin, such as https://shop.example`,
    );
  }
  return origin;
}

function readyConsent({ config: { consent } = {} }: Project, name: string): void {
  if (!consent) return;
  const version: unknown = consent.version;
  if (typeof version === "string" && version !== "" && version.length <= MAX_VERSION_CHARS) return;
  throw new TypeError(
    `${name}.config.consent.version is ${JSON.stringify(version)}: write 1 to ${MAX_VERSION_CHARS} characters.`,
  );
}

function readyApprove(entries: readonly string[] = [], name: string): readonly string[] {
  const bad = entries.find((entry) => !approveEntry.test(entry));
  if (bad === undefined) return entries;
  throw new TypeError(
    `${name}.approve holds ${JSON.stringify(bad)}: write a tool, such as cancel_order, or <mcp server>/<tool>, with * for any text.`,
  );
}

function readyLimits(limits: Partial<Limits> | undefined, name: string): Limits {
  for (const [key, value] of Object.entries(limits ?? {})) {
    if (!Object.hasOwn(defaultLimits, key)) {
      throw new TypeError(
        `${name}.limits.${key} is unknown: expected one of ${Object.keys(defaultLimits).join(", ")}.`,
      );
    }
    if (value !== null && !(Number.isFinite(value) && value > 0)) {
      throw new TypeError(`${name}.limits.${key} is ${String(value)}: write a number above 0, or null for no limit.`);
    }
  }
  return { ...defaultLimits, ...limits };
}

function readyDays(project: Project, key: "retentionDays" | "archiveDays", name: string): number | null | undefined {
  const days = project[key];
  if (typeof days === "number" && !(days >= 0)) {
    throw new TypeError(`${name}.${key} is ${days}: write a number of days from 0 up, or null to keep threads.`);
  }
  return days;
}

/** The results of the site search are for the model only: visitors see the passages that the answer cites. */
function readyViews({ toolViews: views = {}, knowledge }: Project, name: string): ToolViews | undefined {
  for (const [tool, view] of Object.entries(views)) {
    if (!TOOL_VIEWS.includes(view)) {
      throw new TypeError(`${name}.toolViews.${tool} is ${JSON.stringify(view)}: write ${TOOL_VIEWS.join(", ")}.`);
    }
  }
  const isNamed = Object.keys(views).some((entry) => matchesTool(entry, { name: SEARCH_SITE, mcp: null }));
  const all: ToolViews = knowledge && !isNamed ? { ...views, [SEARCH_SITE]: "args" } : views;
  return Object.values(all).some((view) => view !== "all") ? all : undefined;
}
