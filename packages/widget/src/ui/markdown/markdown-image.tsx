import type { Image } from "mdast";
import { createElement, useState } from "react";
import { safeImage } from "../../markdown/safe-image.ts";
import { useChatState } from "../chat-context.tsx";
import { linkTo } from "./words.ts";

const noHosts: readonly string[] = [];

/** A picture from a host that the configuration names; any other, and one that does not load, is a link to it. */
export function MarkdownImage({ node: { url, alt, title } }: { readonly node: Image }) {
  const hosts = useChatState((state) => state.config.imageHosts ?? noHosts);
  const [failed, setFailed] = useState<string>();
  const src = safeImage(url, hosts);
  if (src !== undefined && src !== failed) {
    return (
      <img
        className="markdown-image"
        src={src}
        alt={alt ?? ""}
        title={title ?? undefined}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(src)}
      />
    );
  }
  const link = linkTo(url, title, []);
  const text = alt || url;
  return "tag" in link ? createElement(link.tag, link.attributes, text) : text;
}
