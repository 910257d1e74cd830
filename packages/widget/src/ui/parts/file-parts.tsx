import type { ComponentType } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { MissingCode } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

type FileType = "image" | "file" | "audio";

const loadViews = loadChunk(() => import("./file-views.tsx"));

/** The views of parts that are files. They show nothing until their code has loaded. */
export const fileParts: { readonly [T in FileType]: PartView<T> } = {
  image: lazyView("image"),
  file: lazyView("file"),
  audio: lazyView("audio"),
};

function lazyView<T extends FileType>(type: T): PartView<T> {
  function LazyPart(props: { readonly part: PartOf<T>; readonly place: PartPlace }) {
    const { value, error, retry } = useLoaded(loadViews);
    const View = value?.fileViews[type] as ComponentType<typeof props> | undefined;
    return View ? <View {...props} /> : error ? <MissingCode onRetry={retry} /> : null;
  }
  return { each: LazyPart };
}
