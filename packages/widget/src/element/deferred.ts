/**
 * Like `Promise.withResolvers`, but a promise without a handler causes no «unhandled rejection». It also works in old browsers,
 * which lack the original: the element has to run there to say that they are too old.
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
