/**
 * As `Promise.withResolvers`, without an «unhandled rejection» for a promise that nobody looks at. Also for old browsers, which
 * lack it: there the element must still run, to say that they are too old.
 */
export function deferred<T>(): PromiseWithResolvers<T> {
  const resolvers = {} as PromiseWithResolvers<T>;
  resolvers.promise = new Promise((resolve, reject) => {
    resolvers.resolve = resolve;
    resolvers.reject = reject;
  });
  resolvers.promise.catch(() => undefined);
  return resolvers;
}
