import { one, statement } from './statement.ts';

/**
 * Service time, in SQL: the clock that seat timeouts run on. It stands still while no API process is alive (a restart,
 * a database outage), because `alive_at` then stops moving; the first beat afterwards adds the gap to `away_ms`. A
 * statement that uses it joins `service_clock c`. `offset` is the organization's own, as an SQL expression in ms. `now`
 * is the real time, for a statement that needs both clocks at the same instant.
 */
export function serviceTime(offset: string, now = 'clock_timestamp()'): string {
  return `(least(${now}, c.alive_at + interval '${TOLERANCE_MS} milliseconds')
    + (${offset} - c.away_ms) * interval '1 millisecond')`;
}

/** The database's clock in SQL, read when the expression is evaluated and so after any wait for a lock. */
export function wallTime(offset: string, now = 'clock_timestamp()'): string {
  return `(${now} + ${offset} * interval '1 millisecond')`;
}

/** A time in SQL as whole milliseconds since 1970, as in the program. */
export function milliseconds(time: string): string {
  return `floor(extract(epoch from ${time}) * 1000)::float8`;
}

/** A time in SQL as the API shows it: ISO 8601 in UTC with milliseconds and `Z`. */
export function isoTimeInSql(time: string): string {
  return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * Service time, read once for the whole statement: a column compared with it can be searched in an index, whereas a
 * clock read again for every row can only filter row by row. Use it only to narrow a search; decisions use the other.
 */
export function serviceTimeOnce(offset: string): string {
  return `(select ${serviceTime(offset)} from service_clock c)`;
}

/** The same for the database's clock. */
export function wallTimeOnce(offset: string): string {
  return `(select ${wallTime(offset)})`;
}

/** The heartbeat interval of an API process. */
export const ALIVE_EVERY_MS = 500;

/** Time without a heartbeat that still counts as alive; at most this much of an outage counts towards a timeout. */
const TOLERANCE_MS = 1_000;

/** Changes nothing: checks that writes finish, for a process that does not report that the service is alive. */
export const updateNothing = statement({
  name: 'update_nothing',
  returns: one(({ oldest_generation }: { oldest_generation: number }) => ({ oldestGeneration: oldest_generation })),
  isHeldBack: false,
  sql: () => `update service_clock set alive_at = alive_at where id = 'this' returning oldest_generation`,
});

/**
 * Reports that the service is alive, and adds the time since the last beat, beyond the tolerance, to the time away.
 * Returns the oldest generation that may use the database. It is sent even while other writes are held back, because
 * its success ends that.
 */
export const updateServiceClock = statement({
  name: 'beat_service_clock',
  returns: one(({ oldest_generation }: { oldest_generation: number }) => ({ oldestGeneration: oldest_generation })),
  isHeldBack: false,
  sql: () => `
    update service_clock set
      away_ms = away_ms + greatest(0, floor(
        extract(epoch from (n.t - alive_at - interval '${TOLERANCE_MS} milliseconds')) * 1000))::bigint,
      alive_at = greatest(alive_at, n.t)
    from (select clock_timestamp() as t) n
    where id = 'this'
    returning oldest_generation`,
});
