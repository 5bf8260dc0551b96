import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { getOverview } from './get-overview.ts';
import { Overview, OverviewQuery } from './schemas.ts';
import type { SoldNow } from './sold-now.ts';

/** The endpoint at /v1/operator/overview. */
export function overviewRoute(soldNow: SoldNow): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/operator/overview',
    operationId: 'getOverview',
    tag: 'Operator',
    summary: 'Get an overview',
    description:
      'Shows the subscriptions of all organizations together and how they are used. `mrr`, the counts by status, `seats.sold`, and `seats.used` are current values; all of these but `seats.used` are up to 30 seconds old if there are more than 50,000 licenses and subscriptions. All other values cover the time between `from` and `to`, which is extended to whole hours and is at most 366 days.',
    access: ACCESS.staffRead,
    query: OverviewQuery,
    status: 200,
    response: Overview,
    errors: { validation_failed: HTTP_ERRORS.validation_failed },
    example: {
      data: {
        from: '2026-10-22T12:00:00.000Z',
        to: '2026-11-21T12:00:00.000Z',
        mrr: [
          { currency: 'eur', amount: 1_240_000 },
          { currency: 'usd', amount: 4_512_500 },
        ],
        active_subscriptions: 312,
        trials: 14,
        new: 27,
        churned: 4,
        past_due: 6,
        seats: { sold: 5_480, used: 2_911, peak: 3_604 },
        refusals: 182,
        deliveries: { succeeded: 48_120, failed: 12 },
        mails_waiting: 0,
        jobs_late: 0,
        late_jobs: [],
      },
    },
    handle: async ({ database }, { query }) => ({ data: await getOverview(database, soldNow, query) }),
  });
}
