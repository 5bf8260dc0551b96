import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const Timestamp = Type.String({ format: 'date-time' });

/** The statuses of a started replay. */
export const REPLAY_STATUSES = ['running', 'completed', 'canceled'] as const;

/** A replay as the API shows one; a dry run has no identifier and starts nothing. */
export const Replay = Type.Object(
  {
    id: Type.Union([Type.String({ pattern: idPattern('replay') }), Type.Null()], { description: 'Null in a dry run.' }),
    webhook_id: Type.String({ pattern: idPattern('webhookEndpoint') }),
    status: Type.Enum([...REPLAY_STATUSES, 'dry_run'], {
      description:
        'Also `running` while the endpoint is paused or disabled; the replay continues when the endpoint is active again.',
    }),
    since: Timestamp,
    until: Timestamp,
    only_failed: Type.Boolean(),
    total: Type.Integer({
      minimum: 0,
      description:
        'The number of matching deliveries when the replay was created, counted up to 1,000,000. The replay includes all of them.',
    }),
    replayed: Type.Integer({
      minimum: 0,
      description:
        'The number of deliveries that were replayed so far. Deliveries that succeeded or were deleted in the meantime are skipped, so the final number can be lower than `total`.',
    }),
    created_at: Timestamp,
    completed_at: Type.Union([Timestamp, Type.Null()], {
      description:
        'When the last delivery was attempted (or, if the endpoint keeps failing, had failed twice), or when the replay was canceled.',
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
      description: 'Include events created at this time or later.',
    }),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Include only events created before this time. Defaults to the current time, which is also the maximum.',
      }),
    ),
    only_failed: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'If true, replay only failed and held deliveries. If false, also replay those that succeeded. Pending deliveries and test events are never replayed.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Only count the deliveries. The response has status 200.' }),
    ),
  },
  { additionalProperties: false },
);
export type ReplayInput = Static<typeof ReplayInput>;
