const LENGTH = 8;
const RADIX = 36;

/**
 * A random id: 8 base-36 characters, with a prefix if given. Unique in a thread, not in the world.
 *
 * @example randomId("msg_") // "msg_4k1z09qd"
 */
export function randomId(prefix = ""): string {
  const digits = crypto.getRandomValues(new Uint32Array(LENGTH));
  return prefix + Array.from(digits, (digit) => (digit % RADIX).toString(RADIX)).join("");
}
