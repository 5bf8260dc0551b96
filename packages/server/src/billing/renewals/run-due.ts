import type { Job, TimeTraveler } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { keepBooks } from '../books/close-books.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import { checkPaymentsOf } from '../payments/check-payments.ts';
import { cancelPayment, collectPayment } from '../payments/collect-payment.ts';
import type { PaymentState } from '../payments/payment-state.ts';
import { type CollectOutcome, settlePayment } from '../payments/settle-payment.ts';
import { findNextDueMs, listDueOrganizations } from '../subscriptions/queries.ts';
import { actOnDue } from './act-on-due.ts';

/** Does what is due with subscriptions, whichever organization's; one whose books cannot be kept holds up none of the others. */
export function dueSubscriptionsJob(tools: BillingTools): Job {
  const pausedUntilMs = new Map<string, number>();
  return {
    name: 'billing.act-on-due-subscriptions',
    everyMs: 500,
    nudge: tools.due,
    run: async () => {
      const nowMs = tools.clock.nowMs();
      const paused = [...pausedUntilMs].flatMap(([id, untilMs]) => (untilMs > nowMs ? id : []));
      const due = await listDueOrganizations(tools.database, paused, LOOKED_AT);
      const organizationIds = [...new Set(due)];
      const counts = await inLanes(organizationIds, async (organizationId) => {
        try {
          pausedUntilMs.delete(organizationId);
          return await runDueOf(tools, organizationId);
        } catch (error) {
          tools.log.error(
            { err: error, organization: organizationId },
            'the subscriptions of an organization are stuck',
          );
          pausedUntilMs.set(organizationId, nowMs + STUCK_MS);
          return 0;
        }
      });
      return counts.some((count) => count > 0);
    },
  };
}

/** The part of this room in moving an organization's clock. */
export function billingTraveler(tools: BillingTools): TimeTraveler {
  return {
    nextDueMs: async (organizationId, untilMs) => {
      const dueMs = await findNextDueMs(tools.database, organizationId);
      return dueMs !== undefined && dueMs <= untilMs ? dueMs : undefined;
    },
    runDue: async (organizationId) =>
      (await runDueOf(tools, organizationId)) + (await checkPaymentsOf(tools, organizationId)),
  };
}

/** Rows of due subscriptions that are looked at for their organizations. */
const LOOKED_AT = 500;
/** Organizations whose books are kept at the same time by one process. */
const LANES = 4;
/** Charges of one organization that are under way at the same time. */
const CHARGES = 8;
const STUCK_MS = 30_000;

/** A portion of what is due of one organization; answers how many subscriptions it was. */
async function runDueOf(tools: BillingTools, organizationId: string): Promise<number> {
  const { provider } = tools;
  const work = await actOnDue(tools, organizationId);
  if (provider === undefined) {
    return work.count;
  }
  for (const payment of work.toGiveUp) {
    await cancelPayment(tools, provider, payment, work.nowMs);
  }
  const outcomes = await collectAll(tools, provider, work.toCollect, work.nowMs);
  await settleAll(tools, organizationId, outcomes);
  return work.count;
}

type Outcomes = ReadonlyArray<readonly [PaymentState, CollectOutcome]>;

async function collectAll(
  tools: BillingTools,
  provider: PaymentProvider,
  payments: readonly PaymentState[],
  nowMs: number,
): Promise<Outcomes> {
  return inLanes(
    payments,
    async (payment) => [payment, await collectPayment(tools, provider, payment, nowMs)] as const,
    CHARGES,
  );
}

/** All in one transaction; where that fails, each in its own, so that one that cannot be written keeps none of the others. */
async function settleAll(tools: BillingTools, organizationId: string, outcomes: Outcomes): Promise<void> {
  const settle = (some: Outcomes) =>
    keepBooks(tools, tools.database, organizationId, async (books) => {
      for (const [payment, outcome] of some) {
        await settlePayment(books, payment.id, outcome);
      }
    });
  if (outcomes.length > 0) {
    await settle(outcomes).catch(async (error: unknown) => {
      if (outcomes.length === 1) {
        throw error;
      }
      for (const outcome of outcomes) {
        await settle([outcome]);
      }
    });
  }
}

/** Works at some at the same time, and answers in the order given. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  lanes = LANES,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const lane = async () => {
    for (const [place, item] of rest) {
      results[place] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
