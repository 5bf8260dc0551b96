/** A promise with its resolvers. Node.js 20 has no `Promise.withResolvers`. */
export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export function createDeferred(): Deferred {
  let settle: Pick<Deferred, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // An unawaited rejection is not an error of the program.
  promise.catch(() => undefined);
  return { promise, resolve: () => settle?.resolve(), reject: (error) => settle?.reject(error) };
}
