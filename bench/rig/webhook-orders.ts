import type { LoadPlan } from './load-plan.ts';

/** What the receiver of deliveries is started with. */
export interface ReceiverSettings {
  cert: string;
  key: string;
  /** Accepts connections and reads what comes, and never answers. */
  hangs: boolean;
}

/** The orders that the receiver gets, one at a time. */
export type ReceiverOrder =
  /** Forgets what came; from now on keeps an arrival of each request when these are wanted. */
  | { kind: 'forget'; keepsArrivals: boolean }
  | { kind: 'tell' }
  /** Ends all connections. */
  | { kind: 'hang-up' };

/** A request that came whole. */
export interface Arrival {
  /** The header X-Service-Delivery. */
  delivery: string;
  /** The event's `created`. */
  created: string;
  /** Milliseconds since 1970, with fractions. */
  atMs: number;
}

/** What the receiver answers to every order. */
export interface ReceiverReport {
  /** Whole requests since it last forgot. */
  count: number;
  /** Connections that are open now. */
  open: number;
  /** The most that were open at the same time of those that have brought a request since it last forgot. */
  mostBusy: number;
  /** Connections since the start. */
  opened: number;
  /** The first request since the start, as it came. */
  sample: { headers: Record<string, string>; body: string } | null;
  arrivals: Arrival[];
}

/** What the bare loop is started with: a delivery as the service made it, to be made again and again. */
export interface BareDelivery {
  url: string;
  ca: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
}

/** The orders that the bare loop gets. */
export type BareOrder =
  /** As many as it can, with so many under way. */
  | { kind: 'flood'; concurrency: number; warmUpSeconds: number; seconds: number }
  /** This many each second, regardless of the others. */
  | { kind: 'paced'; perSecond: number; seconds: number };

/** What came of it. */
export interface BareResult {
  perSecond: number;
  completed: number;
  /** Of a paced run: when each was begun, in milliseconds since 1970, by its X-Service-Delivery. */
  sent: Array<{ delivery: string; atMs: number }>;
}

/** Requests at a fixed rate, whether or not earlier ones were answered. */
export interface PacedOrder {
  target: { port: number; ca: string };
  plan: LoadPlan;
  connections: number;
  perSecond: number;
  warmUpSeconds: number;
  seconds: number;
}

/** The times from when each was due to its answer, in milliseconds. */
export interface PacedResult {
  latenciesMs: number[];
  fault: string | null;
}

/** What a queue's program is started with. */
export interface QueueSettings {
  kind: 'ours-to-receiver' | 'ours-without-http' | 'pg-boss' | 'graphile-worker';
  databaseUrl: string;
  /** Holds the master key. */
  dataDir: string;
  /** PEM of the receiver's authority. */
  ca: string;
}

/** Runs so many jobs, which it stores before unless they are ours: those wait already. */
export interface QueueOrder {
  jobs: number;
}

/** What came of it. */
export interface QueueResult {
  perSecond: number;
}
