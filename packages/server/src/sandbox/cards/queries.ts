import { type Queries, type Statement, wallTime } from '../../database/index.ts';

/** The organization's clock, in milliseconds since 1970. */
export async function readClock(db: Queries, clockOffsetMs: number): Promise<number> {
  const [row] = await db.query(READ_CLOCK, [clockOffsetMs]);
  if (row === undefined) {
    throw new Error('the database does not tell the time');
  }
  return row.now_ms;
}

const READ_CLOCK: Statement<{ now_ms: number }> = {
  name: 'read_clock_for_cards',
  text: `select floor(extract(epoch from ${wallTime('$1::bigint')}) * 1000)::float8 as now_ms`,
};
