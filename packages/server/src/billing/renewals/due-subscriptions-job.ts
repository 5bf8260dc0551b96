import { DatabaseUnavailable } from '../../database/index.ts';
import { ASLEEP_MS, type Job, type TimeTraveler } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { withLedger } from '../ledger/ledger.ts';
import { checkPaymentsOf } from '../payments/check-payments.ts';
import { cancelPayment } from '../payments/collect-payment.ts';
import { collectPayments, type Outcomes } from '../payments/collect-payments.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { PORTION, processDueSubscriptions } from './process-due-subscriptions.ts';
import {
  findNextDue,
  listDueOrganizations,
  listDueSubscriptionIds,
  subscriptionsAreDue,
  updateDeferredSubscription,
} from './queries.ts';

/** Due subscriptions that are read to find their organizations. */
const ROWS_READ = 500;
/** Organizations that one process works on at the same time. */
const ORGANIZATIONS_AT_ONCE = 4;
/** How long an organization whose ledger cannot be written is skipped. */
const PAUSE_MS = 30_000;
/** How long a subscription that cannot be written is deferred. */
const DEFER_MS = 3_600_000;

/**
 * Processes due subscriptions, a portion of each organization in turn, so that neither an organization with thousands
 * due nor one whose ledger cannot be written delays the others.
 */
export function dueSubscriptionsJob(tools: BillingTools): Job {
  const pausedUntilMs = new Map<string, number>();
  return {
    name: 'billing.act-on-due-subscriptions',
    everyMs: ASLEEP_MS,
    nudge: tools.due,
    due: { check: subscriptionsAreDue },
    run: async () => {
      const nowMs = tools.clock.nowMs();
      for (const [organizationId, untilMs] of pausedUntilMs) {
        if (untilMs <= nowMs) {
          pausedUntilMs.delete(organizationId);
        }
      }
      const nextDue = iterateOnce((served) =>
        listDueOrganizations(tools.database, { except: [...pausedUntilMs.keys(), ...served], limit: ROWS_READ }),
      );
      let count = 0;
      const work = async () => {
        for (let next = await nextDue(); next !== undefined; next = await nextDue()) {
          const organizationId = next;
          const done = await runPortion(tools, organizationId).catch((error: unknown) => {
            if (error instanceof DatabaseUnavailable) {
              throw error;
            }
            tools.log.error(
              { err: error, organization: organizationId },
              'the subscriptions of an organization could not be processed',
            );
            pausedUntilMs.set(organizationId, nowMs + PAUSE_MS);
            return 0;
          });
          // Added only now, because others have counted in the meantime.
          count += done;
        }
      };
      await Promise.all(Array.from({ length: ORGANIZATIONS_AT_ONCE }, work));
      return count > 0;
    },
  };
}

/** The reaction of this room to a moved clock of an organization. */
export function billingTraveler(tools: BillingTools): TimeTraveler {
  return {
    nextDueMs: async (organizationId, untilMs) => {
      const { due_at: dueAt } = await findNextDue(tools.database, { organizationId });
      const dueMs = dueAt?.getTime();
      return dueMs !== undefined && dueMs <= untilMs ? dueMs : undefined;
    },
    runDue: async (organizationId) =>
      (await runPortion(tools, organizationId)) + (await checkPaymentsOf(tools, organizationId)),
  };
}

/** Returns organizations one after the other, each once, and lists more when all found ones are taken. */
function iterateOnce(
  list: (served: readonly string[]) => Promise<readonly string[]>,
): () => Promise<string | undefined> {
  const served = new Set<string>();
  let waiting: string[] = [];
  let listing: Promise<void> | undefined;
  const listMore = async () => {
    waiting = [...new Set(await list([...served]))].filter((id) => !served.has(id));
    listing = undefined;
  };
  return async () => {
    if (waiting.length === 0) {
      listing ??= listMore();
      await listing;
    }
    const next = waiting.shift();
    if (next !== undefined) {
      served.add(next);
    }
    return next;
  };
}

/** Processes a portion of an organization's due subscriptions; returns how many there were. */
async function runPortion(tools: BillingTools, organizationId: string): Promise<number> {
  const { provider } = tools;
  const work = await processDueSubscriptions(tools, organizationId).catch((error: unknown) =>
    processOneByOne(tools, organizationId, error),
  );
  if (provider === undefined || work === undefined) {
    return work?.count ?? 0;
  }
  for (const payment of work.toCancel) {
    await cancelPayment(tools, provider, payment, work.nowMs);
  }
  const outcomes = await collectPayments(tools, provider, work.toCollect, work.nowMs);
  await settleAll(tools, organizationId, outcomes);
  return work.count;
}

/**
 * Processes the subscriptions of a failed portion one by one. One that fails again is deferred, so that it does not
 * block the others. The job that looks payments up collects their payments.
 */
async function processOneByOne(tools: BillingTools, organizationId: string, cause: unknown): Promise<undefined> {
  const ids = await listDueSubscriptionIds(tools.database, { organizationId, limit: PORTION });
  let failures = 0;
  for (const id of ids) {
    await processDueSubscriptions(tools, organizationId, id).catch(async (error: unknown) => {
      if (error instanceof DatabaseUnavailable) {
        throw error;
      }
      failures += 1;
      tools.log.error({ err: error, organization: organizationId, subscription: id }, 'a subscription was deferred');
      await updateDeferredSubscription(tools.database, { organizationId, id, milliseconds: DEFER_MS });
    });
  }
  if (failures === 0 && ids.length === 0) {
    throw cause;
  }
  return undefined;
}

/** Settles payments in one transaction or, if that fails, each in its own, so that one failure does not block the others. */
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
    // Without a database, no payment can be settled: they stay claimed, and are looked up when the claims end.
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
