import { type Static, Type } from 'typebox';
import { idPattern } from '../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Included = Type.Integer({
  minimum: 0,
  description: 'Included in a period by the plans of the subscriptions that are active or past due; not per seat.',
});
const Count = Type.Integer({ minimum: 0 });

/** What an organization uses in the present period (service.md "Usage summary"). */
export const UsageSummary = Type.Object(
  {
    period_start: Type.String({
      format: 'date-time',
      description:
        'The current period of the oldest subscription that is active or past due; without one the calendar month, UTC.',
    }),
    period_end: Type.String({ format: 'date-time', description: 'Exclusive.' }),
    seats: Type.Object({
      included: Type.Integer({ minimum: 0, description: 'The sum of max_seats of the licenses that can be used now.' }),
      used: Type.Integer({ minimum: 0, description: 'Seats in use now, of all licenses.' }),
      peak: Type.Integer({ minimum: 0, description: 'The most at one moment of the period so far.' }),
    }),
    ai_tokens: Type.Object({ included: Included, used: Count }),
    storage_gb: Type.Object({ included: Included, used: Type.Number({ minimum: 0 }) }),
    meters: Type.Record(Type.String(), Type.Object({ included: Included, used: Type.Number({ minimum: 0 }) }), {
      description: 'The further meters of the catalogue, by their names.',
    }),
  },
  { title: 'UsageSummary' },
);
export type UsageSummary = Static<typeof UsageSummary>;

/** The greatest value of one record: with six places after the point, fifteen digits survive a JSON number unchanged. */
const MAX_VALUE = 999_999_999_999_999;

/** The body of POST /v1/operator/usage. */
export const UsageInput = Type.Object(
  {
    organization_id: Type.String({ minLength: 1, maxLength: 128 }),
    meter: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'As the catalogue names it, for example ai_tokens.',
    }),
    value: Type.Number({
      minimum: 0,
      maximum: MAX_VALUE,
      description: 'At most 6 decimals, and at most 15 digits in all.',
    }),
    at: Type.String({
      format: 'date-time',
      description: "When it was used, on the organization's clock: from 35 days ago to 5 minutes ahead, in any order.",
    }),
    idempotency_key: Type.Optional(
      Type.String({
        pattern: '^[ -~]{1,255}$',
        description:
          'Your own name of this record, unique for the organization and the meter: sent again, it answers the first record with 200 and counts nothing. It outlives the header Idempotency-Key, which is kept for 24 hours.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type UsageInput = Static<typeof UsageInput>;

/** A record of usage, as it is answered. */
export const UsageRecord = Type.Object(
  {
    id: Type.String({ pattern: idPattern('usageRecord') }),
    organization_id: Type.String({ pattern: idPattern('organization') }),
    meter: Type.String(),
    value: Type.Number({ minimum: 0 }),
    at: Timestamp,
    idempotency_key: Type.Union([Type.String(), Type.Null()]),
    recorded_at: Type.String({ format: 'date-time', description: "On the organization's clock." }),
  },
  { title: 'UsageRecord' },
);
export type UsageRecord = Static<typeof UsageRecord>;
