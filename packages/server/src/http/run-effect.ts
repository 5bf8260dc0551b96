import type { Queries } from '../database/index.ts';
import { httpError } from './errors.ts';
import type { Answer, AuthorizedContext, Effect, Refusal } from './route.ts';

/**
 * Runs the effect of a use case that opens the transaction itself, once for each Idempotency-Key. Throws the refusal that the
 * effect answers, after what it wrote is committed.
 */
export async function runEffect(
  context: Pick<AuthorizedContext, 'database' | 'once'>,
  effect: Effect,
): Promise<Answer<unknown>> {
  return context.once === undefined ? answerOf(await context.database.transaction(effect)) : context.once(effect);
}

/** The answer of an effect that is committed. Throws its refusal. */
export function answerOf(outcome: Answer<unknown> | Refusal): Answer<unknown> {
  if ('refusal' in outcome) {
    throw outcome.refusal;
  }
  return outcome;
}

/** What a use case has begun and committed, and goes on with outside of a transaction: nothing is answered yet. */
export interface Unfinished<T> {
  unfinished: T;
}

/**
 * Runs the first part of a use case that then does something outside of the database, such as charging a card, and ends
 * with `runEffect`. A request whose answer is kept gets that, and nothing is begun again. What `begin` writes is committed
 * and no answer is kept for it; when `begin` answers at once, that is the whole use case.
 */
export async function runBeginning<T>(
  context: Pick<AuthorizedContext, 'database' | 'once'>,
  begin: (tx: Queries) => Promise<Answer<unknown> | Unfinished<T>>,
): Promise<Answer<unknown> | Unfinished<T>> {
  let begun: Unfinished<T> | undefined;
  try {
    return await runEffect(context, async (tx) => {
      const outcome = await begin(tx);
      begun = 'unfinished' in outcome ? outcome : undefined;
      // A refusal is what is committed without being kept.
      return 'unfinished' in outcome ? { refusal: NOT_FINISHED } : outcome;
    });
  } catch (error) {
    if (begun !== undefined && error === NOT_FINISHED) {
      return begun;
    }
    throw error;
  }
}

/** Never leaves this file. */
const NOT_FINISHED = httpError('internal_error', 'The use case has not ended.');
