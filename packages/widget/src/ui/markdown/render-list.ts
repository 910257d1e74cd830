import { createElement, Fragment } from "react";
import type { ReactNode } from "react";

/**
 * Elements of a list that only grows at its end, so that the index of an item never changes. React identifies each element by
 * its index, and no keys are needed.
 */
export function renderList<T>(items: readonly T[], render: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, undefined, ...items.map(render));
}
