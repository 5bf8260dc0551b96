import type { Decision, Subject } from './windows.ts';

/** One request to be counted. The subjects' keys differ, or at least the names of their windows do. */
export interface TakeRequest {
  readonly subjects: readonly Subject[];
  readonly nowMs: number;
  /** False counts and reports but refuses nothing. */
  readonly enforce: boolean;
}

/**
 * Counts requests and decides whether they are allowed. It never throws: a failing limiter must not fail the request.
 */
export interface RateLimiter {
  take(request: TakeRequest): Decision | Promise<Decision>;
  close(): Promise<void>;
}
