import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });

/** What can become of a replay that was started. */
export const REPLAY_STATUSES = ['running', 'completed', 'canceled'] as const;

/** A replay as the API shows one; a dry run has no identifier and starts nothing. */
export const Replay = Type.Object(
  {
    id: Type.Union([Type.String({ pattern: idPattern('replay') }), Type.Null()], { description: 'null in a dry run.' }),
    webhook_id: Type.String({ pattern: idPattern('webhookEndpoint') }),
    status: Type.Enum([...REPLAY_STATUSES, 'dry_run'], {
      description:
        'running also while the endpoint is paused or disabled: it goes on when the endpoint is active again.',
    }),
    since: Timestamp,
    until: Timestamp,
    only_failed: Type.Boolean(),
    total: Type.Integer({
      minimum: 0,
      description:
        'The deliveries that it was about when it was asked for. Counted up to 1,000,000; a replay takes all.',
    }),
    replayed: Type.Integer({
      minimum: 0,
      description:
        'The deliveries that were taken up so far. Those that succeeded or were deleted meanwhile are left out, so it may end below total.',
    }),
    created_at: Timestamp,
    completed_at: Type.Union([Timestamp, Type.Null()], {
      description:
        'When the last attempt of it had begun (at an endpoint that fails: had failed twice), or the replay was canceled.',
    }),
  },
  { title: 'WebhookReplay' },
);
export type Replay = Static<typeof Replay>;

/** The body of POST /v1/webhooks/{webhook_id}/replay. */
export const ReplayInput = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'The deliveries of events created at this time or later.',
    }),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only those of events created before this time; now, when it is left out or later than now.',
      }),
    ),
    only_failed: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Only what failed for good or is held; false: also what succeeded. What is pending or was a test is never taken.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Only count; answered with status 200.' })),
  },
  { additionalProperties: false },
);
export type ReplayInput = Static<typeof ReplayInput>;
