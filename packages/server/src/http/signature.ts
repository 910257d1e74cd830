import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs texts for one purpose: what is signed for another, or with another secret, is not taken. */
export interface Signer {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** HMAC-SHA256 with a key made of the server's secret and the purpose. */
export function createSigner(secret: string, purpose: string): Signer {
  const key = createHmac("sha256", secret).update(purpose).digest();
  const digest = (text: string) => createHmac("sha256", key).update(text).digest();
  return {
    sign: (text) => digest(text).toString("base64url"),
    verify(text, signature) {
      const expected = digest(text);
      const given = Buffer.from(signature, "base64url");
      // A second spelling of the same bytes would be a second credential: only the one that we give counts.
      return (
        given.length === expected.length &&
        timingSafeEqual(given, expected) &&
        given.toString("base64url") === signature
      );
    },
  };
}
