import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

/** Signs texts for one purpose. A signature for another purpose, or with another secret, does not verify. */
export interface Signer {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/**
 * HMAC-SHA256 (RFC 2104) with keys derived from the server's secrets and the purpose.
 *
 * @param secrets the first one signs; a signature with any of them verifies
 */
export function createSigner(secrets: readonly string[], purpose: string): Signer {
  // The key objects are made once. From raw bytes Node would make a key object at each use, which takes longer than
  // signing.
  const keys = secrets.map((secret) => createSecretKey(createHmac("sha256", secret).update(purpose).digest()));
  const digests = (text: string) => keys.map((key) => createHmac("sha256", key).update(text).digest());
  return {
    sign: (text) => digests(text)[0]?.toString("base64url") ?? "",
    verify(text, signature) {
      const given = Buffer.from(signature, "base64url");
      // Base64 has several spellings of the same bytes. Only the spelling of `sign` is accepted, so that a credential
      // has exactly one text.
      if (given.toString("base64url") !== signature) return false;
      return digests(text).some((expected) => given.length === expected.length && timingSafeEqual(given, expected));
    },
  };
}
