import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../http/index.ts';
import { recordUsage } from './records/record-usage.ts';
import { UsageInput, UsageRecord, UsageSummary } from './schemas.ts';
import { getUsage } from './summary/get-usage.ts';

/** The endpoints of usage. */
export function usageRoutes(): Route[] {
  return [GET_USAGE, RECORD_USAGE];
}

const GET_USAGE = defineRoute({
  method: 'GET',
  path: '/v1/usage',
  operationId: 'getUsage',
  tag: 'Usage',
  summary: 'Get the usage summary',
  description:
    'Shows what the organization used in the current period and what its subscriptions include. The peak is the exact highest number of seats in use at one moment across all licenses, not a sample.',
  access: ACCESS.readUsage,
  status: 200,
  response: UsageSummary,
  errors: {},
  example: {
    data: {
      period_start: '2026-11-14T09:30:00.000Z',
      period_end: '2026-12-14T09:30:00.000Z',
      seats: { included: 25, used: 17, peak: 23 },
      ai_tokens: { included: 1_000_000, used: 412_000 },
      storage_gb: { included: 500, used: 128.5 },
      meters: {},
    },
  },
  handle: async (context) => ({ data: await getUsage(context) }),
});

const EXAMPLE_INPUT = {
  organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
  meter: 'ai_tokens',
  value: 1250,
  at: '2026-11-21T12:00:00.000Z',
  idempotency_key: 'job-4711',
};

const RECORD_USAGE = defineRoute({
  method: 'POST',
  path: '/v1/operator/usage',
  operationId: 'recordUsage',
  tag: 'Operator',
  summary: 'Record usage',
  description:
    'Records what an organization used. The record counts immediately in the period that contains `at`. A `sum` meter adds up the records of a period, a `max` meter takes the largest, and a `last` meter takes the newest one before the end of the period, even if it is older than the period. Records cannot be deleted or be negative. Sending the same `idempotency_key` again returns the first record with 200; a different value or time is rejected.',
  access: ACCESS.staffFinance,
  body: UsageInput,
  status: 201,
  alsoStatus: 200,
  response: UsageRecord,
  errors: { not_found: HTTP_ERRORS.not_found, validation_failed: HTTP_ERRORS.validation_failed },
  example: {
    body: EXAMPLE_INPUT,
    data: { id: 'usage_01k9m2v5x8e4bt3q6r7s8t9vwx', ...EXAMPLE_INPUT, recorded_at: '2026-11-21T12:00:01.250Z' },
  },
  handle: (context, { body }) => recordUsage(context, body),
});
