import { one, statement, wallTime } from '../../database/index.ts';

/** The organization's clock, in milliseconds since 1970. */
export const findClock = statement({
  name: 'read_clock_for_cards',
  parameters: { clockOffsetMs: 'bigint' },
  returns: one<{ now_ms: number }>(),
  sql: ({ clockOffsetMs }) => `select floor(extract(epoch from ${wallTime(clockOffsetMs)}) * 1000)::float8 as now_ms`,
});
