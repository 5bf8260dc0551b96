import { describe, expect, it } from 'vitest';
import type { ApiDocument } from './api-document.ts';
import { clientResources, nameInClient } from './client-resources.ts';
import { eventObjects } from './event-objects.ts';

describe('an operation’s place in the client', () => {
  it.each([
    ['/v1/events', 'listEvents', 'events.list'],
    ['/v1/webhooks', 'createWebhook', 'webhooks.create'],
    ['/v1/webhooks/{id}', 'getWebhook', 'webhooks.get'],
    ['/v1/webhooks/{id}/deliveries', 'listWebhookDeliveries', 'webhooks.listDeliveries'],
    ['/v1/webhooks/{id}/deliveries/{delivery_id}/retry', 'retryWebhookDelivery', 'webhooks.retryDelivery'],
    ['/v1/webhooks/{id}/rotate-secret', 'rotateWebhookSecret', 'webhooks.rotateSecret'],
    ['/v1/webhooks/{id}/test', 'testWebhook', 'webhooks.test'],
    ['/v1/webhooks/{id}/replay', 'replayWebhookEvents', 'webhooks.replay'],
    ['/v1/api-tokens/{id}', 'deleteApiToken', 'apiTokens.delete'],
    ['/v1/event-types', 'listEventTypes', 'eventTypes.list'],
    ['/v1/licenses/acquire', 'acquireSeat', 'licenses.acquire'],
    ['/v1/licenses/public-key', 'getLicensePublicKey', 'licenses.getPublicKey'],
    ['/v1/orgs/{organization_id}', 'updateOrganization', 'organizations.update'],
    ['/v1/orgs/{organization_id}/members', 'listMembers', 'organizations.listMembers'],
    ['/v1/auth/login', 'login', 'auth.login'],
    ['/v1/auth/2fa/verify', 'verifyTwoFactor', 'auth.verifyTwoFactor'],
    ['/v1/auth/email/verify', 'verifyEmail', 'auth.verifyEmail'],
    ['/v1/me', 'getMe', 'me.get'],
    ['/v1/sandbox/clock/advance', 'advanceSandboxClock', 'sandbox.advanceClock'],
    ['/.well-known/jwks.json', 'getKeySet', 'wellKnown.getKeySet'],
  ])('%s, %s: %s', (path, operationId, name) => {
    const { resource, method } = nameInClient(path, operationId);
    expect(`${resource}.${method}`).toBe(name);
  });

  it.each([
    ['/v1/webhooks', 'webhooks'],
    ['/v1/request', 'getRequest'],
    ['/v1/things', 'thenThings'],
    ['/v1/things', 'Constructor'],
    ['/v1/2fa', 'getSecret'],
  ])('%s, %s: refused, because it would have no name or one that is taken', (path, operationId) => {
    expect(() => nameInClient(path, operationId)).toThrow('name it otherwise');
  });
});

describe('clientResources', () => {
  it('gives the client what it must know about each operation at run time', () => {
    const text = clientResources(
      api({ '/v1/things': { post: 'createThing', get: 'listThings' }, '/v1/open/{id}': { delete: 'deleteOpen' } }),
    );
    expect(text).toContain(`const THINGS = {
  /** Do createThing. */
  create: {
    id: 'createThing',
    method: 'POST',
    path: '/v1/things',
    token: true,
    keyed: true,
    body: true,
    answer: 'data',
  },
  /** Do listThings. */
  list: { id: 'listThings', method: 'GET', path: '/v1/things', token: true, query: true, answer: 'list' },
} as const;`);
    expect(text).toContain(
      "delete: { id: 'deleteOpen', method: 'DELETE', path: '/v1/open/{id}', token: true, answer: 'nothing' }",
    );
    expect(text).toContain('  readonly things: Resource<typeof THINGS>;');
    expect(text).toContain('    this.things = open(THINGS);');
    expect(text.indexOf('const OPEN ')).toBeLessThan(text.indexOf('const THINGS '));
  });

  it('refuses two operations with the same name', () => {
    const document = api({ '/v1/things': { get: 'listThings' }, '/v1/things/{id}': { get: 'listThing' } });
    expect(() => clientResources(document)).toThrow('listThings and listThing would both be things.list');
  });

  it('returns the same text for the same document', () => {
    const document = api({ '/v1/things': { get: 'listThings' } });
    expect(clientResources(document)).toBe(clientResources(document));
  });
});

it('eventObjects describes the object of every type of event, sorted', () => {
  const schema = JSON.parse('{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}');
  const definition = { schema, example: { id: 'x' } };
  const text = eventObjects([
    { ...definition, type: 'b.done', description: 'B was.' },
    { ...definition, type: 'a.done', description: 'A was.' },
  ]);
  expect(text).toContain(
    "export interface EventObjects {\n  /** A was. */\n  'a.done': {\n    id: string;\n  };\n  /** B was. */\n  'b.done': {",
  );
});

/** A document with operations by path and method, with the given IDs. */
function api(operations: Record<string, Record<string, string>>): ApiDocument {
  const paths = Object.entries(operations).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, id]) => [method, operation(method, id)])),
  ]);
  return { paths: Object.fromEntries(paths), components: {} };
}

function operation(method: string, operationId: string) {
  const isList = operationId.startsWith('list');
  const properties = isList ? { data: {}, pagination: {} } : { data: {} };
  const header = { name: 'Idempotency-Key', in: 'header', required: false, schema: {} };
  const query = { name: 'limit', in: 'query', required: false, schema: {} };
  return {
    operationId,
    summary: `Do ${operationId}`,
    security: [{ bearer: [] }],
    parameters: [...(method === 'post' ? [header] : []), ...(isList ? [query] : [])],
    ...(method === 'post' ? { requestBody: { content: {} } } : {}),
    responses:
      method === 'delete'
        ? { '204': { description: '' } }
        : { '200': { description: '', content: { 'application/json': { schema: { properties } } } } },
  };
}
