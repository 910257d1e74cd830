/**
 * Work on rows whose number is unknown, a part at a time: each iteration does one part and yields how many rows it was
 * about. Nothing is done before the first. The caller decides what runs between two parts, and may stop after any.
 */
export type Parts = AsyncIterable<number>;
