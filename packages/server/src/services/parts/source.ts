import type { PartKind } from "./part-kind.ts";

export const source: PartKind<"source"> = {
  eventsOf({ id, url, title }) {
    if (url === "") {
      return [{ type: "source-document", sourceId: id, title: title ?? id, mediaType: "text/plain" }];
    }
    return [{ type: "source-url", sourceId: id, url, ...(title === undefined ? {} : { title }) }];
  },
};
