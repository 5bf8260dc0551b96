import Fastify, { type FastifyInstance } from 'fastify';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../harness/index.ts';

/** The table "Event types" of the specification, group by group. */
const SPECIFIED = [
  ['license.seat.acquired', 'license.seat.released', 'license.seat.timeout', 'license.seats.exhausted'],
  ['license.expiring', 'license.expired'],
  ['subscription.created', 'subscription.updated', 'subscription.canceled', 'subscription.expired'],
  ['invoice.created', 'invoice.paid', 'invoice.payment_failed'],
  ['payment_method.attached', 'payment_method.removed'],
  [
    'org.member.invited',
    'org.member.joined',
    'org.member.removed',
    'org.member.role_changed',
    'org.reinstated',
    'org.suspended',
  ],
].flat();

/** Types that were added later. */
const FURTHER = [
  'license.seat.refused',
  'license.created',
  'license.updated',
  'license.suspended',
  'license.reinstated',
  'license.revoked',
  'payment.credited',
  'credit.granted',
];

/** The section "Known objects" of the specification: these members, and no others. */
const KNOWN_OBJECTS: Record<string, Record<string, string>> = {
  'license.seat.acquired': {
    session_id: 'string',
    license_id: 'string',
    user_id: 'string or null',
    hardware_id: 'string',
    active_seats: 'integer',
    max_seats: 'integer',
  },
  'subscription.canceled': {
    subscription_id: 'string',
    plan_id: 'string',
    cancel_at_period_end: 'boolean',
    current_period_end: 'string',
    canceled_by: 'string',
    reason: 'string',
  },
};

interface EventType {
  type: string;
  description: string;
  schema: Record<string, unknown> & {
    properties: Record<string, { type?: string; anyOf?: Array<{ type?: string }> }>;
    required: string[];
  };
  example: Record<string, unknown>;
}

let test: TestApp;
let token: string;
let types: EventType[];
/** A validator of another make, as receivers may well have. It refuses keywords that are not in JSON Schema. */
let other: FastifyInstance;

beforeAll(async () => {
  test = await startTestApp();
  token = (await test.register()).accessToken;
  types = (await test.api.get('/v1/event-types?limit=100', token)).body.data;
  other = Fastify({ ajv: { customOptions: { strict: true, removeAdditional: false, coerceTypes: false } } });
  other.post('/', { schema: { body: {} } }, () => undefined);
  await other.ready();
});
afterAll(async () => {
  await other.close();
  await test.close();
});

function errorsOf(schema: unknown, value: unknown): unknown[] {
  const validate = other.validatorCompiler?.({ schema, method: 'POST', url: '/', httpPart: 'body' });
  if (validate === undefined || validate(value) !== true) {
    return validate?.errors ?? ['there is no validator'];
  }
  return [];
}

describe('GET /v1/event-types', () => {
  it('lists the types of the specification and later ones, by name, page by page', async () => {
    expect(types.map((each) => each.type)).toEqual([...SPECIFIED, ...FURTHER].toSorted());
    const firstPage = await test.api.get('/v1/event-types', token);
    expect(firstPage.body.data).toEqual(types.slice(0, 20));
    const cursor = firstPage.body.pagination.next_cursor;
    const secondPage = await test.api.get(`/v1/event-types?cursor=${cursor}`, token);
    expect(secondPage.body.data).toEqual(types.slice(20));
    expect(secondPage.body.pagination).toEqual({ has_more: false, next_cursor: null });
  });

  it('lists the type of every event that can be written, and no internal one', () => {
    expect(test.service.events.map((each) => each.type).toSorted()).toEqual(types.map((each) => each.type));
    expect(test.service.events.filter((each) => each.isInternal)).toEqual([]);
  });

  it('shows the type, description, schema and example of each, and nothing else', () => {
    for (const each of types) {
      expect(Object.keys(each)).toEqual(['type', 'description', 'schema', 'example']);
      expect(each.description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it.each(SPECIFIED)('%s: the example matches the schema, for both validators', (name) => {
    const { schema, example } = typeNamed(name);
    expect([...Compile(schema).Errors(example)]).toEqual([]);
    expect(errorsOf(schema, example)).toEqual([]);
    // The example shows every member, so that no event surprises anyone with a new one. A user holds its seat, not an
    // activation.
    const members = Object.keys(schema.properties).filter((each) => each !== 'activation_id');
    expect(Object.keys(example).toSorted()).toEqual(members.toSorted());
    for (const member of schema.required) {
      const without = Object.fromEntries(Object.entries(example).filter(([key]) => key !== member));
      expect(errorsOf(schema, without)).not.toEqual([]);
    }
    expect(errorsOf(schema, { ...example, [schema.required[0] ?? '']: { not: 'this' } })).not.toEqual([]);
  });

  it.each(SPECIFIED)('%s: the published schema is everything that we check against', (name) => {
    const definition = test.service.events.find((each) => each.type === name);
    expect(typeNamed(name).schema).toEqual(definition?.schema);
    expect(marksIn(definition?.schema)).toEqual([]);
  });

  it('leaves objects open for future members, except the two whose members the specification lists', () => {
    for (const { type, schema, description, example } of types) {
      const isKnown = Object.hasOwn(KNOWN_OBJECTS, type);
      expect([type, errorsOf(schema, { ...example, a_member_to_come: 1 }).length === 0]).toEqual([type, !isKnown]);
      expect(description.includes('exactly these members')).toBe(isKnown);
    }
  });

  it.each(Object.entries(KNOWN_OBJECTS))('%s has exactly the members of the specification', (name, members) => {
    const { schema } = typeNamed(name);
    const found = Object.entries(schema.properties).map(([member, { type, anyOf }]) => [
      member,
      type ?? anyOf?.map((each) => each.type).join(' or '),
    ]);
    expect(Object.fromEntries(found)).toEqual(members);
    expect(schema.required.toSorted()).toEqual(Object.keys(members).toSorted());
  });

  it('also names the resource of every other object by its own ID', () => {
    for (const { type, example } of types.filter((each) => !Object.hasOwn(KNOWN_OBJECTS, each.type))) {
      const [kind] = type.split('.');
      const id = kind === 'org' ? 'organization_id' : `${kind}_id`;
      expect([type, typeof example[id]]).toEqual([type, 'string']);
    }
  });
});

function typeNamed(name: string): EventType {
  const found = types.find((each) => each.type === name);
  if (found === undefined) {
    throw new Error(`${name} is not listed`);
  }
  return found;
}

/** What JSON would leave out or change: members with TypeBox's own names, functions, undefined. */
function marksIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) {
    return ['string', 'number', 'boolean'].includes(typeof value) || value === null ? [] : [path];
  }
  const symbols = Object.getOwnPropertySymbols(value).map((symbol) => `${path} ${String(symbol)}`);
  const inside = Object.entries(value).flatMap(([key, each]) => [
    ...(key.startsWith('~') ? [`${path}.${key}`] : []),
    ...marksIn(each, `${path}.${key}`),
  ]);
  return [...symbols, ...inside];
}
