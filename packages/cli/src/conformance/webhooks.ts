import type { Answer } from './answer.ts';
import type { CheckGroup } from './check.ts';
import { NAME } from './create-project.ts';
import {
  expectData,
  expectError,
  expectFields,
  expectPage,
  expectStatus,
  expectThat,
  expectValue,
  Fault,
  LeftOut,
} from './expectations.ts';
import type { Probe } from './probe.ts';
import { isRecord, pick, pickList, pickText } from './read-json.ts';

/** It happens at most once in the life of a license, so a run causes no delivery. */
const EVENT = 'license.expired';

/** Contract section 9: endpoints, event types, and events. `url` is the URL of the run's endpoint. */
export function webhookChecks(url: string): CheckGroup {
  return {
    key: 'webhooks',
    title: '§9 Webhooks and events',
    checks: [
      {
        name: 'refuses a URL that is not https, is a private address, or contains a password',
        run: async (probe) => {
          for (const refused of ['http://example.com/', 'https://10.255.255.1/', 'https://user:secret@example.com/']) {
            const answer = await create(probe, { url: refused, events: [EVENT] });
            const isRefused = answer.status === 422 || answer.status === 400;
            expectThat(answer, isRefused, `the status for ${refused} is ${answer.status}, expected 422`);
            expectError(answer, answer.status, answer.status === 422 ? 'validation_failed' : 'invalid_request', {
              field: 'url',
            });
          }
        },
      },
      {
        name: 'refuses an unknown event type, and an endpoint without events',
        run: async (probe) => {
          expectError(await create(probe, { url, events: ['license.painted'] }), 422, 'validation_failed');
          expectError(await create(probe, { url }), 400, 'invalid_request', { field: 'events', reason: 'required' });
        },
      },
      {
        name: 'creates an endpoint, shows its secret once, changes it, rotates its secret, and deletes it',
        run: async (probe) => {
          const created = await create(probe, {
            url,
            events: [EVENT],
            description: `${NAME}, removed again by the run`,
          });
          if (created.status === 422) {
            const { hostname } = new URL(url);
            throw new LeftOut(`the service does not accept ${hostname}; name a URL of yours with --webhook-url`);
          }
          await walkEndpoint(probe, created);
        },
      },
      {
        name: '404 for an endpoint that does not exist',
        run: async (probe) =>
          expectError(await probe.call('GET', '/v1/webhooks/wh_00000000000000000000000000'), 404, 'not_found'),
      },
      {
        name: 'describes every event type with a schema and an example',
        run: async (probe) => {
          const described = await listEventTypes(probe);
          const missing = EVENT_TYPES.filter((type) => !described.has(type));
          if (missing.length > 0) {
            throw new Fault(`GET /v1/event-types does not list ${missing.join(', ')}`);
          }
        },
      },
      {
        name: 'lists the events of the organization in the envelope of webhooks',
        run: async (probe) => {
          const answer = await probe.call('GET', '/v1/events?limit=10');
          expectPage(answer);
          for (const [place, event] of pickList(answer.body, 'data').entries()) {
            expectFields(answer, `data.${place}`, ENVELOPE);
            expectThat(answer, isRecord(pick(event, 'data.object')), 'an event has no data.object');
          }
        },
      },
      {
        name: 'delivers events with a signature',
        run: () => {
          throw new LeftOut('needs a receiver: see `seathold webhooks listen` and `seathold webhooks verify`');
        },
      },
    ],
  };
}

async function create(probe: Probe, json: unknown): Promise<Answer> {
  const answer = await probe.call('POST', '/v1/webhooks', { json });
  const id = pickText(answer.body, 'data.id');
  if (id !== '') {
    probe.deleteLater(`/v1/webhooks/${id}`);
  }
  return answer;
}

async function walkEndpoint(probe: Probe, created: Answer): Promise<void> {
  expectData(created, 201);
  expectFields(created, 'data', { ...ENDPOINT, secret: /^whsec_[A-Za-z0-9+/=]{40,}$/ });
  const path = `/v1/webhooks/${pickText(created.body, 'data.id')}`;
  const paused = await probe.call('PATCH', path, { json: { status: 'paused' } });
  expectData(paused, 200);
  expectValue(paused, 'data.status', 'paused');
  expectValue(paused, 'data.events', [EVENT]);
  const found = await probe.call('GET', path);
  expectData(found, 200);
  expectFields(found, 'data', ENDPOINT);
  expectThat(found, !found.text.includes(pickText(created.body, 'data.secret')), 'the secret is shown again');
  const rotated = await probe.call('POST', `${path}/rotate-secret`, { json: {} });
  expectData(rotated, 200);
  const isNew = pick(rotated.body, 'data.secret') !== pick(created.body, 'data.secret');
  expectThat(rotated, isNew && pickText(rotated.body, 'data.secret').startsWith('whsec_'), 'there is no new secret');
  expectStatus(await probe.call('DELETE', path), 204);
  expectError(await probe.call('GET', path), 404, 'not_found');
}

async function listEventTypes(probe: Probe): Promise<Set<string>> {
  const found = new Set<string>();
  for (let cursor = ''; ; ) {
    const answer = await probe.call('GET', `/v1/event-types?limit=100${cursor}`);
    expectPage(answer);
    for (const [place, each] of pickList(answer.body, 'data').entries()) {
      expectFields(answer, `data.${place}`, {
        type: 'string',
        description: 'string',
        schema: 'object',
        example: 'object',
      });
      found.add(pickText(each, 'type'));
    }
    if (pick(answer.body, 'pagination.has_more') !== true) {
      return found;
    }
    cursor = `&cursor=${pickText(answer.body, 'pagination.next_cursor')}`;
  }
}

const ENDPOINT = {
  id: /^wh_/,
  url: /^https:/,
  events: 'array',
  description: 'string?',
  status: /^(active|paused|disabled)$/,
  created_at: 'timestamp',
} as const;

const ENVELOPE = {
  id: /^evt_/,
  type: 'string',
  created: 'timestamp',
  data: 'object',
  organization_id: /^org_/,
} as const;

/** The types that the specification names. */
const EVENT_TYPES = [
  ...['acquired', 'released', 'timeout'].map((what) => `license.seat.${what}`),
  ...['seats.exhausted', 'expiring', 'expired'].map((what) => `license.${what}`),
  ...['created', 'updated', 'canceled', 'expired'].map((what) => `subscription.${what}`),
  ...['created', 'paid', 'payment_failed'].map((what) => `invoice.${what}`),
  ...['attached', 'removed'].map((what) => `payment_method.${what}`),
  ...['invited', 'joined', 'removed', 'role_changed'].map((what) => `org.member.${what}`),
];
