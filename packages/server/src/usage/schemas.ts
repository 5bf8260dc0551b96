import { type Static, Type } from 'typebox';
import { idPattern } from '../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Included = Type.Integer({
  minimum: 0,
  description: 'Included per period by the plans of active and past-due subscriptions, not per seat.',
});
const Count = Type.Integer({ minimum: 0 });

/** The usage of an organization in the current period (service.md "Usage summary"). */
export const UsageSummary = Type.Object(
  {
    period_start: Type.String({
      format: 'date-time',
      description:
        'The current period of the oldest subscription that is active or past due. If there is none, the calendar month in UTC.',
    }),
    period_end: Type.String({ format: 'date-time', description: 'The end of the period (exclusive).' }),
    seats: Type.Object({
      included: Type.Integer({
        minimum: 0,
        description: 'The sum of `max_seats` of all licenses that can be used now.',
      }),
      used: Type.Integer({ minimum: 0, description: 'The seats in use now, across all licenses.' }),
      peak: Type.Integer({
        minimum: 0,
        description: 'The highest number of seats in use at one moment of the period.',
      }),
    }),
    ai_tokens: Type.Object({ included: Included, used: Count }),
    storage_gb: Type.Object({ included: Included, used: Type.Number({ minimum: 0 }) }),
    meters: Type.Record(Type.String(), Type.Object({ included: Included, used: Type.Number({ minimum: 0 }) }), {
      description: 'Other meters of the catalogue, by name.',
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
      description: 'The name of a meter in the catalogue, for example ai_tokens.',
    }),
    value: Type.Number({
      minimum: 0,
      maximum: MAX_VALUE,
      description: 'At most 6 decimal places and 15 digits in total.',
    }),
    at: Type.String({
      format: 'date-time',
      description:
        "When it was used, on the organization's clock, from 35 days ago to 5 minutes ahead. Records can arrive in any order.",
    }),
    idempotency_key: Type.Optional(
      Type.String({
        pattern: '^[ -~]{1,255}$',
        description:
          'Your own ID for this record, unique within the organization and meter. Sending it again returns the first record with 200 and counts nothing. It is kept as long as the record, 100 days, while the Idempotency-Key header is kept for 24 hours.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type UsageInput = Static<typeof UsageInput>;

/** A usage record in a response. */
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
