import { type Static, Type } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const time = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

export const OverviewQuery = Type.Object({
  from: time('A date (UTC), or an ISO 8601 time. By default, 30 days before `to`.'),
  to: time('A date (UTC), or an ISO 8601 time. By default, now.'),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

export const Overview = Type.Object(
  {
    from: Time('The beginning of the time that was counted, a whole hour.'),
    to: Time('The end of the time that was counted, a whole hour.'),
    mrr: Type.Array(Type.Object({ currency: Type.String(), amount: Count }, { title: 'RecurringRevenue' }), {
      description:
        'What active and past due subscriptions cost a month now, before discounts and tax, in minor units: one entry for each currency.',
    }),
    active_subscriptions: Count,
    trials: Count,
    new: Type.Integer({ minimum: 0, description: 'Subscriptions that began in that time.' }),
    churned: Type.Integer({ minimum: 0, description: 'Subscriptions that ended in that time.' }),
    past_due: Count,
    seats: Type.Object(
      {
        sold: Type.Integer({ minimum: 0, description: 'The seats of all licenses that are active now.' }),
        used: Type.Integer({ minimum: 0, description: 'The seats in use now.' }),
        peak: Type.Integer({ minimum: 0, description: 'The most seats in use at one moment of that time.' }),
      },
      { title: 'OverviewSeats' },
    ),
    refusals: Type.Integer({ minimum: 0, description: 'Acquires that were refused in that time.' }),
    deliveries: Type.Object(
      { succeeded: Count, failed: Count },
      { title: 'OverviewDeliveries', description: 'Deliveries of events that ended in that time.' },
    ),
    mails_waiting: Type.Integer({ minimum: 0, description: 'Mails that have not been sent yet, up to 10,000.' }),
    jobs_late: Type.Integer({ minimum: 0, description: 'How many kinds of background work are late.' }),
    late_jobs: Type.Array(Type.String(), { description: 'Their names, as in the log.' }),
  },
  { title: 'Overview' },
);
export type Overview = Static<typeof Overview>;
