/**
 * Runs generators side by side, and yields what each of them yields as it comes.
 *
 * @throws the signal's reason when it is aborted
 */
export async function* sideBySide<T>(
  generators: readonly AsyncGenerator<T, void, undefined>[],
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const next = async (generator: AsyncGenerator<T, void, undefined>) => ({ generator, result: await generator.next() });
  const pending = new Map(generators.map((generator) => [generator, next(generator)]));
  // Those that are still pending when this ends may reject later.
  for (const each of pending.values()) each.catch(() => undefined);
  const aborted = rejection(signal);
  while (pending.size > 0) {
    const { generator, result } = await Promise.race([aborted, ...pending.values()]);
    if (result.done) {
      pending.delete(generator);
      continue;
    }
    yield result.value;
    const following = next(generator);
    following.catch(() => undefined);
    pending.set(generator, following);
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  // Prevents an unhandled rejection when no generator is running.
  aborted.catch(() => undefined);
  return aborted;
}
