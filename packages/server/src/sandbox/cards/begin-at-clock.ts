import { type AuthorizedContext, runPhase } from '../../http/index.ts';
import { findClock } from './queries.ts';

/** A request that is not a repetition continues at this time of the organization's clock. */
interface Begun {
  kind: 'begun';
  nowMs: number;
}

/** Reads the organization's clock. A repeated request gets its first answer instead. */
export async function beginAtClock(context: AuthorizedContext) {
  const { clockOffsetMs } = context.principal;
  return runPhase(context, async (tx): Promise<Begun> => {
    const { now_ms: nowMs } = await findClock(tx, { clockOffsetMs });
    return { kind: 'begun', nowMs };
  });
}
