const LENGTH = 8;
const RADIX = 36;

/** Bytes from here up are drawn again: 252 is the largest multiple of 36 in a byte, so no digit is likelier. */
const LIMIT = 252;

/**
 * A random id: 8 base-36 characters, with a prefix if given. Unique in a thread, not in the world.
 *
 * @example randomId("msg_") // "msg_4k1z09qd"
 */
export function randomId(prefix = ""): string {
  let id = "";
  while (id.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH - id.length))) {
      if (byte < LIMIT) id += (byte % RADIX).toString(RADIX);
    }
  }
  return prefix + id;
}
