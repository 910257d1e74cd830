import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

/** Signs texts for one purpose: what is signed for another, or with another secret, is not taken. */
export interface Signer {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/**
 * HMAC-SHA256 with keys made of the server's secrets and the purpose.
 *
 * @param secrets the first one signs; what any of them has signed is taken
 */
export function createSigner(secrets: readonly string[], purpose: string): Signer {
  // As key objects: bytes would be made one at each use, which takes longer than the signing.
  const keys = secrets.map((secret) => createSecretKey(createHmac("sha256", secret).update(purpose).digest()));
  const digests = (text: string) => keys.map((key) => createHmac("sha256", key).update(text).digest());
  return {
    sign: (text) => digests(text)[0]?.toString("base64url") ?? "",
    verify(text, signature) {
      const given = Buffer.from(signature, "base64url");
      // A second spelling of the same bytes would be a second credential: only the one that we give counts.
      if (given.toString("base64url") !== signature) return false;
      return digests(text).some((expected) => given.length === expected.length && timingSafeEqual(given, expected));
    },
  };
}
