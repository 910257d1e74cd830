import { createElement, Fragment } from "react";
import type { ReactNode } from "react";

/** Elements of a list that grows at its end alone: each is known by its place. */
export function inOrder<T>(items: readonly T[], render: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, undefined, ...items.map(render));
}
