import type { Job } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { mailOrphans } from './mail-orphans.ts';
import { claimAwaited } from './orphan-queries.ts';
import { REVIEW_MS, recordUnknownCharge } from './record-unknown-charge.ts';

const MINUTE_MS = 60_000;
const PORTION = 20;

/** Mails finance about payments that match no record. */
export function mailOrphansJob(tools: BillingTools): Job {
  return {
    name: 'billing.mail-orphaned-payments',
    everyMs: MINUTE_MS,
    nudge: tools.orphaned,
    run: () => mailOrphans(tools),
  };
}

/** Reviews payments that wait for a renewal, which may never happen because the subscription ended. */
export function reviewAwaitedJob(tools: BillingTools): Job {
  return {
    name: 'billing.review-awaited-payments',
    everyMs: MINUTE_MS,
    run: async () => {
      const { provider, clock, database } = tools;
      if (provider === undefined) {
        return false;
      }
      const nowMs = clock.nowMs();
      const awaited = await claimAwaited(database, { now: nowMs, nextReview: nowMs + REVIEW_MS, limit: PORTION });
      for (const paymentRef of awaited) {
        const described = await provider.describeCharge({ paymentRef, nowMs });
        if (described.kind === 'found' && described.charge.status === 'succeeded') {
          await recordUnknownCharge(tools, provider.name, described.charge);
        }
      }
      return awaited.length >= PORTION;
    },
  };
}
