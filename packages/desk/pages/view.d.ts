import type { ProjectFigures } from "../src/run-figures.ts";

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
  readonly projects: readonly ProjectFigures[];
}
