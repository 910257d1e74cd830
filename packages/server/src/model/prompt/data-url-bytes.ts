/** The bytes in a data URL (RFC 2397); none for any other address. */
export function bytesOfUrl(url: string): Uint8Array {
  const { isBase64, body } = parts(url) ?? { isBase64: true, body: "" };
  if (isBase64) return Buffer.from(body, "base64");
  try {
    return Buffer.from(decodeURIComponent(body));
  } catch {
    return Buffer.from(body);
  }
}

/** How many bytes a data URL holds at most; `undefined` for any other address. */
export function sizeOfUrl(url: string): number | undefined {
  const found = parts(url);
  if (!found) return undefined;
  return found.isBase64 ? Math.ceil((found.body.length * 3) / 4) : Buffer.byteLength(found.body);
}

function parts(url: string): { readonly isBase64: boolean; readonly body: string } | undefined {
  const comma = url.indexOf(",");
  if (!/^data:/i.test(url) || comma === -1) return undefined;
  return { isBase64: url.slice(0, comma).endsWith(";base64"), body: url.slice(comma + 1) };
}
