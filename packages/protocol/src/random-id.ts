/**
 * A random id: 8 base-36 characters, with a prefix if given. Unique in a thread, not in the world.
 *
 * @example randomId("msg_") // "msg_4k1z09qd"
 */
export function randomId(prefix = ""): string {
  return prefix + Array.from(crypto.getRandomValues(new Uint32Array(8)), (digit) => (digit % 36).toString(36)).join("");
}
