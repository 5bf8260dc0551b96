import type { ActivityRow, RefusedMinuteRow } from './queries.ts';

/** The figures of one hour or day. */
export interface DemandPoint {
  atMs: number;
  /** The maximum number of seats in use at one moment. */
  peak: number;
  /** Refused acquires. */
  refused: number;
  /** The maximum number of machines in line at one moment. */
  waitingPeak: number;
}

/** A part of the range. It begins and ends on a whole minute. */
export interface DemandWindow {
  fromMs: number;
  untilMs: number;
}

/** Aggregates consecutive windows into points and into the number of seats that would have been enough. */
export class DemandTally {
  readonly points: DemandPoint[] = [];
  /** The maximum of seats in use plus refused users and machines, over all minutes. */
  suggestedSeats = 0;
  #active: number;
  #waiting: number;
  readonly #intervalMs: number;

  /** @param before the seats in use, and the machines in line, before the first window. */
  constructor(before: { active: number; waiting: number }, intervalMs: number) {
    this.#active = before.active;
    this.#waiting = before.waiting;
    this.#intervalMs = intervalMs;
  }

  add(
    { fromMs, untilMs }: DemandWindow,
    activity: readonly ActivityRow[],
    refusals: readonly RefusedMinuteRow[],
    waits: readonly ActivityRow[],
  ): void {
    const active = new Map(activity.map((row) => [row.minute_ms, row]));
    const refused = new Map(refusals.map((row) => [row.minute_ms, row]));
    const waiting = new Map(waits.map((row) => [row.minute_ms, row]));
    const before = this.#active;
    const waitingBefore = this.#waiting;
    for (let minuteMs = fromMs; minuteMs < untilMs; minuteMs += MINUTE_MS) {
      const change = active.get(minuteMs);
      const peak = change === undefined ? this.#active : before + change.peak;
      const joined = waiting.get(minuteMs);
      const waitingPeak = joined === undefined ? this.#waiting : waitingBefore + joined.peak;
      this.#addMinute(minuteMs, { peak, waitingPeak }, refused.get(minuteMs));
      this.#waiting = joined === undefined ? this.#waiting : waitingBefore + joined.left_at_end;
      this.#active = change === undefined ? this.#active : before + change.left_at_end;
    }
  }

  #addMinute(
    minuteMs: number,
    { peak, waitingPeak }: Pick<DemandPoint, 'peak' | 'waitingPeak'>,
    refusals: RefusedMinuteRow | undefined,
  ): void {
    const atMs = Math.floor(minuteMs / this.#intervalMs) * this.#intervalMs;
    let point = this.points.at(-1);
    if (point?.atMs !== atMs) {
      point = { atMs, peak: 0, refused: 0, waitingPeak: 0 };
      this.points.push(point);
    }
    const machines = refusals?.machines ?? 0;
    point.peak = Math.max(point.peak, peak);
    point.refused += refusals?.refused ?? 0;
    point.waitingPeak = Math.max(point.waitingPeak, waitingPeak);
    this.suggestedSeats = Math.max(this.suggestedSeats, peak + machines);
  }
}

export const MINUTE_MS = 60_000;
