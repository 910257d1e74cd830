/** As `Promise.withResolvers`, which browsers lack that are told they are too old. */
export function deferred<T>(): PromiseWithResolvers<T> {
  const made = {} as PromiseWithResolvers<T>;
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
