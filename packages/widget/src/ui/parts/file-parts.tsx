import type { ComponentType } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

type FileType = "image" | "file" | "audio";

const loadViews = loadChunk(() => import("./file-views.ts"));

/** The views of parts that are files: they show nothing until their code has loaded. */
export const fileParts: { readonly [T in FileType]: PartView<T> } = {
  image: lazyView("image"),
  file: lazyView("file"),
  audio: lazyView("audio"),
};

function lazyView<T extends FileType>(type: T): PartView<T> {
  function LazyPart(props: { readonly part: PartOf<T>; readonly place: PartPlace }) {
    const { value, error } = useLoaded(loadViews);
    if (error) throw error;
    const View = value?.fileViews[type] as ComponentType<typeof props> | undefined;
    return View ? <View {...props} /> : null;
  }
  return { each: LazyPart };
}
