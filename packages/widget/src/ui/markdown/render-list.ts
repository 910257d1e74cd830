import { createElement, Fragment } from "react";
import type { ReactNode } from "react";

/**
 * Elements of a list that only grows at its end, so that an item keeps its index: React identifies each by its index, and
 * none needs a key.
 */
export function renderList<T>(items: readonly T[], render: (item: T, index: number) => ReactNode): ReactNode {
  return createElement(Fragment, undefined, ...items.map(render));
}
