import type { Chunk } from "./load-chunk.ts";
import { loadChunk as loadModule } from "./load-chunk.ts";

/** Loaded files by name. The map is at module level, like the browser's own module map: each file is one module per page. */
const files = new Map<string, Chunk<unknown>>();

/**
 * What `loadChunk` is in the built files (see chunk-files.ts). All that load a file share its state: where one has failed,
 * the next one asks at the same new address, and the page never has two copies of a module.
 *
 * @param file its name beside this one, without `.js`
 * @param pick what the caller wants of a file that holds several chunks
 */
export function loadChunk<T>(file: string, pick = (module: unknown) => module as T): Chunk<T> {
  const whole =
    files.get(file) ?? loadModule((query) => import(/* @vite-ignore */ `./${file}.js${query}`) as Promise<unknown>);
  files.set(file, whole);
  return Object.assign(() => whole().then(pick), { arrived: () => whole.arrived().then(pick) });
}
