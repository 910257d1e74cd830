/** A path of the server, compared segment by segment. `:name` stands for any one segment. */
export interface PathPattern {
  /** The pattern as it was written, for logs and metrics. */
  readonly text: string;
  readonly segments: readonly string[];
}

/** The segments of a request's path for each `:name` of its pattern. */
export type PathParams = Readonly<Partial<Record<string, string>>>;

/** @param basePath the prefix before `text` in every request's path; may be "" */
export function pathPattern(text: string, basePath = ""): PathPattern {
  return { text, segments: `${basePath}/${text}`.split("/").filter((segment) => segment !== "") };
}

/**
 * The decoded segments of a path, to be compared with patterns. One slash at the end makes no difference.
 *
 * @param pathname percent-encoded, as in a `URL`
 */
export function segmentsOf(pathname: string): readonly string[] {
  const whole = pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  return whole.split("/").slice(1).map(decoded);
}

/**
 * The parameters in a request's path; `undefined` for another path.
 *
 * @example
 * matchSegments(pathPattern("/api/threads/:id"), segmentsOf("/api/threads/a%7Eb/")); // { id: "a~b" }
 * matchSegments(pathPattern("/api/threads/:id"), segmentsOf("/api/threads")); // undefined
 */
export function matchSegments({ segments }: PathPattern, given: readonly string[]): PathParams | undefined {
  if (given.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const text = given[index] ?? "";
    if (segment.startsWith(":") && text !== "") params[segment.slice(1)] = text;
    else if (segment !== text) return undefined;
  }
  return params;
}

/**
 * An encoded letter is equivalent to the letter itself (RFC 3986, section 2.3). A malformed encoding stays unchanged.
 */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
