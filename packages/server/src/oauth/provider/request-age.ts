const arrivals = new WeakMap<object, number>();

/** Notes that a request has just come. */
export function noteArrival(request: object): void {
  arrivals.set(request, performance.now());
}

/** How long ago a request came, in milliseconds; 0 where nobody noted it. */
export function waitedMs(request: object | undefined): number {
  const arrivedAtMs = request === undefined ? undefined : arrivals.get(request);
  return arrivedAtMs === undefined ? 0 : performance.now() - arrivedAtMs;
}
