const arrivals = new WeakMap<object, number>();

/** Records the arrival of a request. */
export function noteArrival(request: object): void {
  arrivals.set(request, performance.now());
}

/** How long ago a request arrived, in milliseconds; 0 if unknown. */
export function waitedMs(request: object | undefined): number {
  const arrivedAtMs = request === undefined ? undefined : arrivals.get(request);
  return arrivedAtMs === undefined ? 0 : performance.now() - arrivedAtMs;
}
