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
