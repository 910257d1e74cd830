/** What the desk's API answers with. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
  readonly unpriced?: readonly string[];
}

export interface Run {
  readonly runId: string;
  readonly threadId: string;
  readonly answerId: string;
  readonly projectId: string;
  readonly title?: string;
  readonly status: { readonly type: string; readonly reason?: string; readonly error?: string; readonly code?: string };
  readonly startedAt: string;
  readonly durationMs?: number;
  readonly firstTokenMs?: number;
  readonly rejoins?: number;
  readonly modelId?: string;
  readonly tokens?: { readonly inputTokens: number; readonly cachedInputTokens: number; readonly outputTokens: number };
  readonly cost?: Cost;
  readonly feedback?: { readonly rating: "up" | "down"; readonly reason?: string };
  readonly isReadable: boolean;
}

export interface Day {
  readonly day: string;
  readonly projectId: string;
  readonly runs: number;
  readonly errors: number;
  readonly cancelled: number;
  readonly interrupted: number;
  readonly rejoins: number;
  readonly up: number;
  readonly down: number;
  readonly firstTokenMs?: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly cost?: Cost;
}

export interface Project {
  readonly id: string;
  readonly title?: string;
  readonly hasPrices: boolean;
}

/** A page of the desk: its content, and what ends it when another page comes. */
export interface View {
  readonly title: string;
  readonly content: readonly Node[];
  /** Called once it is on the page. */
  readonly open?: () => void;
  readonly close?: () => void;
}

export interface Place {
  /** The first word of the address after `#/`. */
  readonly name: string;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly projects: readonly Project[];
}
