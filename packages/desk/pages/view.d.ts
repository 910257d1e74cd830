import type { ProjectFigures } from "../src/run-figures.ts";

/** A page of the desk: its content, and the function that ends it when another page is opened. */
export interface View {
  readonly title: string;
  readonly content: readonly Node[];
  /** Called after the content was added to the document. */
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
