/**
 * Makes an element. Text children are never parsed as markup.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Partial<HTMLElementTagNameMap[T]> & { readonly data?: Readonly<Record<string, string>> }} properties
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, { data = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  Object.assign(made.dataset, data);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}
