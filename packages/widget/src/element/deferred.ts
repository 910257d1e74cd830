/** As `Promise.withResolvers`, which old browsers lack: there the element must still run, to say that they are too old. */
export function deferred<T>(): PromiseWithResolvers<T> {
  const resolvers = {} as PromiseWithResolvers<T>;
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers;
}
