/** A planted session. Without an end it is alive. An overdue one has timed out and still holds its seat. */
export interface PlantedSession {
  startMs: number;
  endMs: number | undefined;
  isOverdue: boolean;
}

/** A planted row of refusals. Without a machine it counts those of many machines. */
export interface PlantedRefusal {
  code: string;
  machine: string | undefined;
  firstMs: number;
  lastMs: number;
  count: number;
}

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A planted wait. Without an end it continues. */
export interface PlantedWait {
  startMs: number;
  endMs: number | undefined;
}

/** The demand for seats computed straight from its definition, minute by minute and instant by instant. */
export function countDemand(
  sessions: readonly PlantedSession[],
  refusals: readonly PlantedRefusal[],
  waits: readonly PlantedWait[],
  { fromMs, toMs, interval }: { fromMs: number; toMs: number; interval: 'hour' | 'day' },
) {
  const intervalMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const firstMs = Math.floor(fromMs / intervalMs) * intervalMs;
  const lastMs = Math.ceil(toMs / intervalMs) * intervalMs;
  const points = [];
  let suggestedSeats = 0;
  for (let atMs = firstMs; atMs < lastMs; atMs += intervalMs) {
    const point = { at: new Date(atMs).toISOString(), peak: 0, refused: 0, waiting_peak: 0 };
    for (let minuteMs = atMs; minuteMs < atMs + intervalMs; minuteMs += MINUTE_MS) {
      const peak = peakOf(sessions, minuteMs);
      const refused = refusals.filter(({ firstMs: ms }) => ms >= minuteMs && ms < minuteMs + MINUTE_MS);
      const machines = new Set(refused.map(({ machine }) => machine)).size;
      point.peak = Math.max(point.peak, peak);
      point.refused += refused.reduce((sum, { count }) => sum + count, 0);
      point.waiting_peak = Math.max(point.waiting_peak, peakOf(waits, minuteMs));
      suggestedSeats = Math.max(suggestedSeats, peak + machines);
    }
    points.push(point);
  }
  return { points, suggested_seats: suggestedSeats };
}

/** The highest number of sessions at one moment of a minute. It only rises when one begins. */
function peakOf(sessions: readonly PlantedWait[], minuteMs: number): number {
  const begun = sessions.flatMap(({ startMs }) =>
    startMs > minuteMs && startMs < minuteMs + MINUTE_MS ? [startMs] : [],
  );
  const activeAt = (ms: number) =>
    sessions.filter(({ startMs, endMs }) => startMs <= ms && (endMs === undefined || endMs > ms)).length;
  return Math.max(...[minuteMs, ...begun].map(activeAt));
}
