import type { Answer, Answered, AuthorizedContext, Effect, Phase, Refusal } from './route.ts';

/**
 * Runs one phase of a use case in a transaction that commits regardless of what the phase returns. An answer ends the
 * use case: it is stored for its Idempotency-Key, and a repeated request gets it without running the phase. Anything
 * else is not stored: the use case continues outside the transaction, for example by charging a card, and ends with
 * another phase.
 */
export async function runPhase<Next extends { kind: string }>(
  context: Pick<AuthorizedContext, 'database' | 'once'>,
  phase: Phase<Next>,
): Promise<Answered | Next> {
  return context.once === undefined ? context.database.transaction(phase) : context.once(phase);
}

/**
 * Runs the last phase of a use case that opens its transactions itself, or its only one. Throws the refusal that the
 * effect returns, after the commit.
 */
export async function runEffect(
  context: Pick<AuthorizedContext, 'database' | 'once'>,
  effect: Effect,
): Promise<Answer<unknown>> {
  const ended = await runPhase(context, async (tx) => endOf(await effect(tx)));
  if (ended.kind === 'refused') {
    throw ended.refusal;
  }
  return ended.answer;
}

function endOf(outcome: Answer<unknown> | Refusal): Answered | ({ kind: 'refused' } & Refusal) {
  return 'refusal' in outcome ? { kind: 'refused', refusal: outcome.refusal } : { kind: 'answered', answer: outcome };
}
