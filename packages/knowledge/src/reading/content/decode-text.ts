/**
 * The text of bytes. Declarations are often wrong, and valid UTF-8 with letters outside of ASCII is hardly ever anything else.
 * So the order is: a byte order mark, valid UTF-8, the declared charset (the response's header first, then the document's
 * own), and last what the bytes look like.
 */
export function decodeText(bytes: Uint8Array, headerCharset?: string): string {
  const mark = markOf(bytes);
  if (mark !== undefined) return new TextDecoder(mark).decode(bytes);
  const labels = [headerCharset, declaredCharset(bytes)];
  const [declared] = labels.flatMap((label) => (label === undefined ? [] : (decoderOf(label) ?? [])));
  const isWide = declared?.encoding.startsWith("utf-16") ?? false;
  if (isWide && bytes.subarray(0, 1_024).includes(0)) return declared?.decode(bytes) ?? "";
  const utf8 = new TextDecoder().decode(bytes);
  let broken = 0;
  let foreign = 0;
  for (let at = 0; at < utf8.length; at += 1) {
    const code = utf8.charCodeAt(at);
    if (code > 0x7f) foreign += 1;
    if (code === 0xfffd) broken += 1;
  }
  // A page in UTF-8 may be broken in a few places: each is one sign among many good ones.
  if (broken * 20 <= foreign && foreign > 0) return utf8;
  if (declared !== undefined && !isWide && declared.encoding !== "utf-8") return declared.decode(bytes);
  return foreign === 0 ? utf8 : likeliest(bytes);
}

/** The charset of a content type. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** What `meta` or the prolog of XML says within the first kilobytes. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4_096));
  const found =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start) ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(start);
  return found?.[1];
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/**
 * Without a declaration: one of the old Russian charsets, whose letters stand side by side, or a western one, whose accents stand
 * between other letters.
 */
function likeliest(bytes: Uint8Array): string {
  const from = bytes.findIndex((byte) => byte > 0x7f);
  const sample = bytes.subarray(from, from + 100_000);
  const countIn = (label: string, pattern: RegExp): number =>
    new TextDecoder(label).decode(sample).match(pattern)?.length ?? 0;
  const [windows = 0, koi = 0] = ["windows-1251", "koi8-r"].map((label) => countIn(label, /[а-яё]{2}/g));
  const isWestern = Math.max(windows, koi) * 5 < countIn("latin1", /[^\0-\x7f]/g);
  return new TextDecoder(isWestern ? "windows-1252" : koi > windows ? "koi8-r" : "windows-1251").decode(bytes);
}
