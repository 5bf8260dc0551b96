import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, type Route } from '../../http/index.ts';
import { cancelReplay } from './cancel-replay.ts';
import { readReplay, readReplays } from './read-replays.ts';
import { REPLAY_STATUSES, Replay, ReplayInput } from './schemas.ts';
import { startReplay } from './start-replay.ts';

/** Sending an endpoint's deliveries of some time again. */
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
      summary: "Send an endpoint's deliveries of some time again",
      description:
        'Takes up the deliveries of events created from since to until, the oldest first, at most 50 ahead of the endpoint, each with the whole schedule before it; what happens meanwhile goes first. While three or more attempts in a row have failed, it takes up one at a time, the next when the one before has failed twice, and keeps its pace again after the first success. An attempt of it that is under way when the endpoint is paused, and fails, leaves its delivery held; a later replay takes that. Deliveries of test events are never taken. One replay of an endpoint runs at a time, and the endpoint must be active. A dry run only counts. At most 20 an hour are asked for, dry runs included.',
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
      description: 'It takes up nothing more; the deliveries that it took up go on, at most 50 of which wait.',
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
      summary: "List an endpoint's replays",
      access: ACCESS.readWebhooks,
      params: WebhookPath,
      list: REPLAY_LIST,
      status: 200,
      response: Replay,
      errors: { not_found },
      example: { data: [EXAMPLE] },
      handle: (context, { params, page }) => readReplays(context, params.webhook_id, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/replays/{replay_id}',
      operationId: 'getWebhookReplay',
      tag: 'Webhooks',
      summary: 'Read how far a replay has come',
      access: ACCESS.readWebhooks,
      params: ReplayPath,
      status: 200,
      response: Replay,
      errors: { not_found },
      example: { data: EXAMPLE },
      handle: async (context, { params }) => ({ data: await readReplay(context, params.webhook_id, params.replay_id) }),
    }),
  ];
}

const { not_found, conflict, validation_failed } = HTTP_ERRORS;

const WebhookPath = Type.Object({ webhook_id: Type.String() });
const ReplayPath = Type.Object({ webhook_id: Type.String(), replay_id: Type.String() });

const REPLAY_LIST: ListDefinition = {
  defaultSort: '-created_at',
  sorts: { created_at: 'time' },
  filters: {
    status: { kind: 'enum', values: REPLAY_STATUSES },
    created_after: { kind: 'time' },
    created_before: { kind: 'time' },
  },
};

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
