/**
 * A tag of HTML that is shown as an element where its pair is in the same text, because markdown has no other way to write
 * it. It has no attributes.
 *
 * @example pairedTag.exec("<sub>2</sub>") // ["<sub>", "", "sub"]
 */
export const pairedTag = /^<(\/?)(su[bp]|kbd|mark|u)>/;
