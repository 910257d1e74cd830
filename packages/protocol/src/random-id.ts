/**
 * A random id of 8 base-36 characters (41 bits) after `prefix`. This is enough for uniqueness within a thread, but not
 * across threads.
 *
 * @example randomId("msg_") // "msg_4k1z09qd"
 */
export function randomId(prefix = ""): string {
  return prefix + Array.from(crypto.getRandomValues(new Uint32Array(8)), (digit) => (digit % 36).toString(36)).join("");
}
