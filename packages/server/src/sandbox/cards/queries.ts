import { milliseconds, one, statement, wallTime } from '../../database/index.ts';

/** The organization's clock, in milliseconds since 1970. */
export const findClock = statement({
  name: 'read_clock_for_cards',
  parameters: { clockOffsetMs: 'bigint' },
  returns: one<{ now_ms: number }>(),
  sql: ({ clockOffsetMs }) => `select ${milliseconds(wallTime(clockOffsetMs))} as now_ms`,
});
