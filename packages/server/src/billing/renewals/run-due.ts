import { DatabaseUnavailable } from '../../database/index.ts';
import type { Job, TimeTraveler } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { withLedger } from '../ledger/ledger.ts';
import { checkPaymentsOf } from '../payments/check-payments.ts';
import { cancelPayment } from '../payments/collect-payment.ts';
import { collectPayments, type Outcomes } from '../payments/collect-payments.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { actOnDue, PORTION } from './act-on-due.ts';
import { deferSubscription, findNextDue, listDueOrganizations, listDueSubscriptionIds } from './queries.ts';

/** Rows of due subscriptions that are looked at for their organizations. */
const LOOKED_AT = 500;
/** Organizations that one process works on at the same time. */
const LANES = 4;
const STUCK_MS = 30_000;
const PARKED_MS = 3_600_000;

/**
 * Does what is due with subscriptions, a portion of each organization in turn: neither one that has thousands due nor one
 * whose ledger cannot be written holds up the others.
 */
export function dueSubscriptionsJob(tools: BillingTools): Job {
  const pausedUntilMs = new Map<string, number>();
  return {
    name: 'billing.act-on-due-subscriptions',
    everyMs: 500,
    nudge: tools.due,
    run: async () => {
      const nowMs = tools.clock.nowMs();
      for (const [organizationId, untilMs] of pausedUntilMs) {
        if (untilMs <= nowMs) {
          pausedUntilMs.delete(organizationId);
        }
      }
      const nextDue = takeInTurn((served) =>
        listDueOrganizations(tools.database, { except: [...pausedUntilMs.keys(), ...served], limit: LOOKED_AT }),
      );
      let count = 0;
      const lane = async () => {
        for (let next = await nextDue(); next !== undefined; next = await nextDue()) {
          const organizationId = next;
          const done = await runDueOf(tools, organizationId).catch((error: unknown) => {
            if (error instanceof DatabaseUnavailable) {
              throw error;
            }
            tools.log.error(
              { err: error, organization: organizationId },
              'the subscriptions of an organization are stuck',
            );
            pausedUntilMs.set(organizationId, nowMs + STUCK_MS);
            return 0;
          });
          // Added only now: another lane has counted meanwhile.
          count += done;
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return count > 0;
    },
  };
}

/** The part of this room in moving an organization's clock. */
export function billingTraveler(tools: BillingTools): TimeTraveler {
  return {
    nextDueMs: async (organizationId, untilMs) => {
      const { due_at: dueAt } = await findNextDue(tools.database, { organizationId });
      const dueMs = dueAt?.getTime();
      return dueMs !== undefined && dueMs <= untilMs ? dueMs : undefined;
    },
    runDue: async (organizationId) =>
      (await runDueOf(tools, organizationId)) + (await checkPaymentsOf(tools, organizationId)),
  };
}

/**
 * Returns each organization once, and asks for more when all that were found are taken, except for those in progress.
 */
function takeInTurn(
  list: (served: readonly string[]) => Promise<readonly string[]>,
): () => Promise<string | undefined> {
  const served = new Set<string>();
  let waiting: string[] = [];
  let asking: Promise<void> | undefined;
  const ask = async () => {
    waiting = [...new Set(await list([...served]))].filter((id) => !served.has(id));
    asking = undefined;
  };
  return async () => {
    if (waiting.length === 0) {
      asking ??= ask();
      await asking;
    }
    const next = waiting.shift();
    if (next !== undefined) {
      served.add(next);
    }
    return next;
  };
}

/** A portion of what is due of one organization; returns how many subscriptions it was. */
async function runDueOf(tools: BillingTools, organizationId: string): Promise<number> {
  const { provider } = tools;
  const work = await actOnDue(tools, organizationId).catch((error: unknown) =>
    actOneByOne(tools, organizationId, error),
  );
  if (provider === undefined || work === undefined) {
    return work?.count ?? 0;
  }
  for (const payment of work.toGiveUp) {
    await cancelPayment(tools, provider, payment, work.nowMs);
  }
  const outcomes = await collectPayments(tools, provider, work.toCollect, work.nowMs);
  await settleAll(tools, organizationId, outcomes);
  return work.count;
}

/**
 * A portion could not be written, so its subscriptions are done one after the other, and one that cannot be is put off:
 * it keeps none of the others from their renewal. Their payments are collected by the look-up that follows.
 */
async function actOneByOne(tools: BillingTools, organizationId: string, cause: unknown): Promise<undefined> {
  const ids = await listDueSubscriptionIds(tools.database, { organizationId, limit: PORTION });
  let failures = 0;
  for (const id of ids) {
    await actOnDue(tools, organizationId, id).catch(async (error: unknown) => {
      if (error instanceof DatabaseUnavailable) {
        throw error;
      }
      failures += 1;
      tools.log.error({ err: error, organization: organizationId, subscription: id }, 'a subscription is put off');
      await deferSubscription(tools.database, { organizationId, id, milliseconds: PARKED_MS });
    });
  }
  if (failures === 0 && ids.length === 0) {
    throw cause;
  }
  return undefined;
}

/** All in one transaction; where that fails, each in its own, so that one that cannot be written keeps none of the others. */
async function settleAll(tools: BillingTools, organizationId: string, outcomes: Outcomes): Promise<void> {
  const settle = (some: Outcomes) =>
    withLedger(tools.database, tools, organizationId, async (ledger) => {
      await ledger.readPayments(some.map(([payment]) => payment.id));
      for (const [payment, outcome] of some) {
        await settlePayment(ledger, payment.id, outcome);
      }
    });
  if (outcomes.length === 0) {
    return;
  }
  try {
    await settle(outcomes);
  } catch (error) {
    // Away for one is away for each: what stays unwritten is claimed, and is looked up when that is over.
    if (error instanceof DatabaseUnavailable) {
      throw error;
    }
    for (const outcome of outcomes) {
      await settle([outcome]).catch((error: unknown) =>
        tools.log.error({ err: error, payment: outcome[0].id }, 'the outcome of a payment could not be written'),
      );
    }
  }
}
