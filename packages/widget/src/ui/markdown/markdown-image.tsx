import type { Image } from "mdast";
import { createElement, useState } from "react";
import { safeImage } from "../../markdown/safe-image.ts";
import { useChatState } from "../chat-context.tsx";
import { linkMarkup } from "./markup.ts";

const noHosts: readonly string[] = [];

/** A picture from a host that the config names. Any other picture, and one that does not load, is shown as a link. */
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
  const link = linkMarkup(url, title, []);
  const text = alt || url;
  return "tag" in link ? createElement(link.tag, link.attributes, text) : text;
}
