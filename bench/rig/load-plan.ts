/** Where a contender listens, its process, and the authority (PEM) that its certificate comes from. */
export interface Target {
  port: number;
  pid: number;
  /** The PostgreSQL that works for it, if one does. */
  postgresPid?: number;
  ca: string;
}

/** What every connection does, again and again, each request as soon as the last answer is there. */
export type LoadPlan =
  /** One heartbeat; counts answers. */
  | { kind: 'heartbeats'; sessions: ReadonlyArray<{ sessionId: string; token: string }> }
  /** Takes a seat of a random license for a new machine and releases it; counts pairs. */
  | { kind: 'seats'; licenses: ReadonlyArray<{ key: string; token: string }> }
  /** Asks for a seat of a license that has none left, each time by one of so many machines; counts refusals. */
  | { kind: 'refusals'; key: string; token: string; machines: number }
  /** Logs in; counts answers. */
  | { kind: 'logins'; accounts: ReadonlyArray<{ email: string; password: string }> }
  /** Reads what is at a path, with these tokens in turn or with none; counts answers. */
  | { kind: 'gets'; path: string; tokens: ReadonlyArray<string | null> }
  /** Reads its own user; counts answers. */
  | { kind: 'me'; tokens: readonly string[] };

/** One window of load. */
export interface LoadOrder {
  target: Target;
  plan: LoadPlan;
  connections: number;
  warmUpSeconds: number;
  seconds: number;
}

/** What came of it. */
export interface LoadResult {
  perSecond: number;
  /** All that was completed, before and after the measured seconds too. */
  completed: number;
  /** The share of its core that the generator used; near 1 it is the bottleneck itself. */
  generatorBusy: number;
  /** The first answer that was not a success, or what broke a connection; the window is worthless then. */
  fault: string | null;
}
