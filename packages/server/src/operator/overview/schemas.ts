import { type Static, Type } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const time = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

export const OverviewQuery = Type.Object({
  from: time('A date (UTC), or an ISO 8601 time. Defaults to 30 days before `to`.'),
  to: time('A date (UTC), or an ISO 8601 time. Defaults to now.'),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

export const Overview = Type.Object(
  {
    from: Time('The start of the period, rounded to a whole hour.'),
    to: Time('The end of the period, rounded to a whole hour.'),
    mrr: Type.Array(Type.Object({ currency: Type.String(), amount: Count }, { title: 'RecurringRevenue' }), {
      description:
        'The monthly price of all active and past-due subscriptions now, before discounts and tax, in minor units. One entry for each currency.',
    }),
    active_subscriptions: Count,
    trials: Count,
    new: Type.Integer({ minimum: 0, description: 'Subscriptions that started in this period.' }),
    churned: Type.Integer({ minimum: 0, description: 'Subscriptions that ended in this period.' }),
    past_due: Count,
    seats: Type.Object(
      {
        sold: Type.Integer({ minimum: 0, description: 'The seats of all licenses that are active now.' }),
        used: Type.Integer({ minimum: 0, description: 'The seats in use now.' }),
        peak: Type.Integer({
          minimum: 0,
          description: 'The highest number of seats in use at one moment of this period.',
        }),
      },
      { title: 'OverviewSeats' },
    ),
    refusals: Type.Integer({ minimum: 0, description: 'Acquires that were refused in this period.' }),
    deliveries: Type.Object(
      { succeeded: Count, failed: Count },
      { title: 'OverviewDeliveries', description: 'Deliveries that ended in this period.' },
    ),
    mails_waiting: Type.Integer({ minimum: 0, description: 'Emails that have not been sent yet, up to 10,000.' }),
    jobs_late: Type.Integer({ minimum: 0, description: 'The number of background jobs that are late.' }),
    late_jobs: Type.Array(Type.String(), { description: 'The names of the late jobs, as in the log.' }),
  },
  { title: 'Overview' },
);
export type Overview = Static<typeof Overview>;
