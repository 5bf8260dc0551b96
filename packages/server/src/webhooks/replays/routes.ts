import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { cancelReplay } from './cancel-replay.ts';
import { getReplay } from './get-replay.ts';
import { listReplays } from './list-replays.ts';
import { REPLAY_LIST } from './replay-list.ts';
import { Replay, ReplayInput } from './schemas.ts';
import { startReplay } from './start-replay.ts';

/** The endpoints for replaying an endpoint's deliveries. */
export function replayRoutes(): Route[] {
  return [...writeRoutes(), ...readRoutes()];
}

function writeRoutes(): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/replay',
      operationId: 'replayWebhook',
      tag: 'Webhooks',
      summary: 'Replay deliveries',
      description:
        'Sends the deliveries of events created between `since` and `until` again, oldest first, each with the full retry schedule. At most 50 are waiting at a time, and new events go first. If three or more attempts in a row fail, the replay slows down to one delivery at a time and continues after two failed attempts of each; it returns to full speed after the first success. If an attempt fails while the endpoint is paused, the delivery becomes `held`, and a later replay includes it. Test events are never replayed. Only one replay per endpoint can run at a time, and the endpoint must be active. A dry run only counts. You can create at most 20 replays an hour, including dry runs.',
      access: ACCESS.manageWebhooks,
      limit: 'replay-webhook',
      params: WebhookPath,
      body: ReplayInput,
      status: 201,
      alsoStatus: 200,
      response: Replay,
      errors: { not_found, conflict, validation_failed },
      example: { body: { since: EXAMPLE.since, only_failed: true }, data: EXAMPLE },
      handle: (context, { params, body }) => startReplay(context, params.webhook_id, body),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/replays/{replay_id}/cancel',
      operationId: 'cancelWebhookReplay',
      tag: 'Webhooks',
      summary: 'Cancel a replay',
      description: 'Stops the replay. Deliveries that it has already started continue. At most 50 of them are waiting.',
      access: ACCESS.manageWebhooks,
      params: ReplayPath,
      status: 200,
      response: Replay,
      errors: { not_found, conflict },
      example: { data: { ...EXAMPLE, status: 'canceled', completed_at: '2026-01-31T12:05:00.000Z' } },
      handle: async (context, { params }) => ({
        data: await cancelReplay(context, params.webhook_id, params.replay_id),
      }),
    }),
  ];
}

function readRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/replays',
      operationId: 'listWebhookReplays',
      tag: 'Webhooks',
      summary: 'List replays',
      access: ACCESS.readWebhooks,
      params: WebhookPath,
      list: REPLAY_LIST,
      status: 200,
      response: Replay,
      errors: { not_found },
      example: { data: [EXAMPLE] },
      handle: (context, { params, page }) => listReplays(context, params.webhook_id, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/replays/{replay_id}',
      operationId: 'getWebhookReplay',
      tag: 'Webhooks',
      summary: 'Get a replay',
      access: ACCESS.readWebhooks,
      params: ReplayPath,
      status: 200,
      response: Replay,
      errors: { not_found },
      example: { data: EXAMPLE },
      handle: async (context, { params }) => ({ data: await getReplay(context, params.webhook_id, params.replay_id) }),
    }),
  ];
}

const { not_found, conflict, validation_failed } = HTTP_ERRORS;

const WebhookPath = Type.Object({ webhook_id: Type.String() });
const ReplayPath = Type.Object({ webhook_id: Type.String(), replay_id: Type.String() });

const EXAMPLE = {
  id: 'rpl_01kagt2m8xf3q9wz5r7e6b4c1r',
  webhook_id: 'wh_01kagt2m8xf3q9wz5r7e6b4c1w',
  status: 'running',
  since: '2026-01-30T00:00:00.000Z',
  until: '2026-01-31T12:00:00.000Z',
  only_failed: true,
  total: 1_250,
  replayed: 400,
  created_at: '2026-01-31T12:00:00.000Z',
  completed_at: null,
};
