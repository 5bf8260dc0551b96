import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { requireSandbox } from '../require-sandbox.ts';
import { advanceClock } from './advance-clock.ts';
import type { ClockTools } from './clock-tools.ts';
import { getClock } from './get-clock.ts';
import { Advanced, AdvanceInput, SandboxClock } from './schemas.ts';

const SHARED = { tag: 'Sandbox' } as const;

const CLOCK = { now: '2026-03-01T12:00:00.000Z', offset_seconds: 2_505_600 };
const EVENT_ID = 'evt_01kagt2m8xf3q9wz5r7e6b4c1r';

/** The endpoints at /v1/sandbox/clock; in production they answer not_found. */
export function clockRoutes(tools: ClockTools | undefined): Route[] {
  return [
    defineRoute({
      ...SHARED,
      access: ACCESS.readSandbox,
      method: 'GET',
      path: '/v1/sandbox/clock',
      operationId: 'getSandboxClock',
      summary: 'Get the sandbox clock',
      description:
        "Returns the current time of this organization's clock. Available only in the sandbox; production returns not_found.",
      status: 200,
      response: SandboxClock,
      errors: { not_found: HTTP_ERRORS.not_found },
      example: { data: CLOCK },
      handle: async ({ database, principal }) => {
        requireSandbox(tools);
        return { data: await getClock(database, principal.organizationId) };
      },
    }),
    defineRoute({
      ...SHARED,
      access: ACCESS.manageSandboxClock,
      method: 'POST',
      path: '/v1/sandbox/clock/advance',
      operationId: 'advanceSandboxClock',
      summary: 'Advance the sandbox clock',
      description:
        "Moves this organization's clock forward and runs everything that becomes due, in order: renewals, dunning, license expiries, seat timeouts, and webhook retries. Other organizations are not affected. The request returns when everything is done, which can take a while if there is much to do or a webhook receiver is slow. After four minutes, or if the server stops, it returns service_unavailable; repeat it with the same Idempotency-Key to continue. Only one move can run at a time; another one gets conflict. Tokens, codes, rate limits, and idempotency stay on real time. Available only in the sandbox; production returns not_found.",
      opensTransaction: true,
      hasOwnBound: true,
      body: AdvanceInput,
      status: 200,
      response: Advanced,
      errors: {
        not_found: HTTP_ERRORS.not_found,
        conflict: HTTP_ERRORS.conflict,
        validation_failed: HTTP_ERRORS.validation_failed,
      },
      example: {
        body: { seconds: 2_505_600 },
        data: {
          ...CLOCK,
          from: '2026-01-31T12:00:00.000Z',
          happened: [
            {
              at: '2026-02-28T12:00:00.000Z',
              type: 'invoice.paid',
              id: EVENT_ID,
              resource_id: 'inv_01kagt2m8xf3q9wz5r7e6b4c1s',
            },
          ],
          count: 1,
        },
      },
      handle: (context, { body }) => advanceClock(context, requireSandbox(tools), body),
    }),
  ];
}
