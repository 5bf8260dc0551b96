import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/http/index.ts';
import type { ApiAnswer } from '../harness/api-client.ts';
import { type Caller, makeCallers } from './callers.ts';
import { type Acting, type Demand, demandOf } from './permission-table.ts';
import { PermissionWorld, ROLES } from './permission-world.ts';
import { expectedOf, verdictOf } from './verdict.ts';

let world: PermissionWorld;
let callers: Caller[];

beforeAll(async () => {
  world = await PermissionWorld.start();
  callers = await makeCallers(world);
});
afterAll(() => world.test.close());

/** Revokes the token that it is called with, so each caller gets a separate one for it. */
const REVOKES_ITS_TOKEN = 'POST /v1/auth/logout';

/** Names objects that nobody has, except for the organization, so that the walk changes nothing. */
function pathOf(route: Route, changes: Readonly<Record<string, string>> = {}): string {
  const known: Readonly<Record<string, string>> = { organization_id: world.organizationId, ...changes };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? 'nothing_of_this_name');
  return path + (REQUIRED_QUERIES[nameOf(route)] ?? '');
}

function call(
  route: Route,
  token: string | undefined,
  path = pathOf(route),
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const sendsBody = route.method !== 'GET' && (route.method !== 'DELETE' || route.body !== undefined);
  return world.test.api.call(route.method, path, { token, headers, ...(sendsBody ? { body: {} } : {}) });
}

async function callAs(route: Route, caller: Caller): Promise<ApiAnswer> {
  const acts = caller.acts === true;
  const home = acts || caller.organizationId === undefined ? {} : { organization_id: caller.organizationId };
  const headers: Readonly<Record<string, string>> = acts ? { 'x-organization-id': world.organizationId } : {};
  return call(route, await tokenFor(route, caller), pathOf(route, home), headers);
}

async function tokenFor(route: Route, caller: Caller): Promise<string | undefined> {
  const needsOwnToken =
    `${route.method} ${route.path}` === REVOKES_ITS_TOKEN && caller.kind === 'session' && caller.acts !== true;
  return needsOwnToken ? world.grant(world.userIn(caller.role), { kind: 'session' }) : caller.token;
}

/** A dozen at a time: the connection pool has ten. */
async function inBatches<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) {
      await run(item);
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
}

/** Query parameters that some reads require. */
const REQUIRED_QUERIES: Readonly<Record<string, string>> = {
  'GET /v1/subscriptions/preview': '?quantity=2&plan_id=plan_none',
  'GET /v1/subscriptions/{subscription_id}/preview': '?quantity=2',
};

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describe('every route', () => {
  it('has exactly one row in the table', () => {
    expect(world.test.service.routes.length).toBeGreaterThan(15);
    for (const route of world.test.service.routes) {
      demandOf(route.method, route.path);
    }
  });

  it('admits the callers that the table lists, and refuses all others as the table specifies', async () => {
    const { routes } = world.test.service;
    const startedAt = performance.now();
    // The second time, a route that checks the token itself reads the cached result.
    const walk = routes.flatMap((route) =>
      callers.flatMap((caller) =>
        route.checksToken === true
          ? [
              { route, caller },
              { route, caller },
            ]
          : [{ route, caller }],
      ),
    );
    const wrong: string[] = [];
    const counts = { allowed: 0, refused: 0 };
    await inBatches(walk, async ({ route, caller }) => {
      const demand = demandOf(route.method, route.path);
      const expected = expectedOf(demand, caller);
      const found = verdictOf(await callAs(route, caller), demand);
      counts[found === 'allowed' ? 'allowed' : 'refused'] += 1;
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        wrong.push(`${nameOf(route)} by ${caller.name}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
      }
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.info(
      `${walk.length} combinations of ${routes.length} routes and ${callers.length} callers in ${seconds} s: ${counts.allowed} allowed, ${counts.refused} refused`,
    );
    expect([wrong.length, wrong.slice(0, 20)]).toEqual([0, []]);
  });

  it('reveals no more about a foreign organization than about one that does not exist', async () => {
    const wrong: string[] = [];
    const ofAnOrganization = world.test.service.routes.filter((route) => route.path.includes('{organization_id}'));
    for (const route of ofAnOrganization) {
      for (const organization of [world.organizationId, 'org_nothing', '%00', 'org_%F0%9F%92%BA', 'x'.repeat(500)]) {
        const path = pathOf(route, { organization_id: organization, user_id: world.stranger.userId });
        const { status, body } = await call(route, world.stranger.accessToken, path);
        // The router matches no route for an address as long as the last one.
        const resource = organization.length > 128 ? 'route' : 'organization';
        const found = [status, body.error?.code, body.error?.details?.resource];
        if (found.join() !== [404, 'not_found', resource].join()) {
          wrong.push(`${nameOf(route)} of ${organization.slice(0, 40)}: ${JSON.stringify(found)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('refuses a foreign organization in the header, for every kind of token', async () => {
    const foreign = { 'x-organization-id': world.stranger.organizationId };
    const kinds = callers.filter(
      ({ role, kind, staff }) => role === 'admin' && kind !== 'nobody' && kind !== 'expired' && staff === undefined,
    );
    const withToken = world.test.service.routes.filter((route) => demandOf(route.method, route.path).token);
    const wrong: string[] = [];
    await inBatches(withToken, async (route) => {
      for (const kind of ['session', 'api', 'oauth'] as const) {
        const token = kinds.find((caller) => caller.kind === kind)?.token;
        const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: {} };
        const answer = await world.test.api.call(route.method, pathOf(route), { token, headers: foreign, ...body });
        if (answer.status !== 404 || answer.body.error.details.resource !== 'organization') {
          wrong.push(`${nameOf(route)} by ${kind}: ${answer.status} ${JSON.stringify(answer.body.error)}`);
        }
      }
    });
    expect(wrong).toEqual([]);
  });

  it("reveals nothing about another organization's objects", async () => {
    const things = await world.fill();
    const own = { organization_id: world.stranger.organizationId };
    // Staff routes refuse both before they look for anything.
    const withThings = world.test.service.routes.filter(
      ({ method, path }) => /\{(?!organization_id)/.test(path) && !('staff' in demandOf(method, path)),
    );
    const wrong: string[] = [];
    // Routes without a token are for everyone, and the vendor's routes are for nobody else.
    for (const route of withThings.filter(({ method, path }) => 'role' in demandOf(method, path))) {
      const path = pathOf(route, { ...things.idsIn(route.path), ...own });
      const body = route.body === undefined ? {} : { body: route.example?.body ?? {} };
      const answer = await world.test.api.call(route.method, path, { token: world.stranger.accessToken, ...body });
      if (answer.status !== 404 || answer.body.error.code !== 'not_found') {
        wrong.push(`${nameOf(route)} by a stranger: ${answer.status} ${JSON.stringify(answer.body.error)}`);
      }
    }
    // Their owner still sees them, so nothing happened to them.
    for (const route of withThings.filter(({ method, path }) => method === 'GET' && 'role' in demandOf(method, path))) {
      const { status } = await call(route, things.ownerToken, pathOf(route, things.idsIn(route.path)));
      if (status !== 200) {
        wrong.push(`${nameOf(route)} by its owner: ${status}`);
      }
    }
    expect(withThings.length).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
  });

  it('that removes a member lets members with any role remove themselves with a session token', async () => {
    for (const role of ROLES) {
      const userId = await world.addUser(role);
      const colleague = await world.addUser('member');
      const remove = async (terms: Parameters<PermissionWorld['grant']>[1], whom: string) => {
        const token = await world.grant(userId, terms);
        const path = `/v1/orgs/${world.organizationId}/members/${whom}`;
        const { status, body } = await world.test.api.call('DELETE', path, { token });
        return [status, body?.error?.details];
      };
      if (role !== 'admin') {
        const refused = [403, { required_role: 'admin' }];
        expect(await remove({ kind: 'api', scopes: ['admin:org'] }, userId)).toEqual(refused);
        expect(await remove({ kind: 'oauth', scopes: ['admin:org'] }, userId)).toEqual(refused);
        expect(await remove({ kind: 'session' }, colleague)).toEqual(refused);
      }
      expect((await remove({ kind: 'session' }, userId))[0]).toBe(204);
    }
  });

  it('documents its access in the API reference', () => {
    const document = readDocument();
    for (const route of world.test.service.routes.filter((each) => each.isInternal !== true)) {
      const demand = demandOf(route.method, route.path);
      const { description, security } = operationOf(document, route);
      expect([nameOf(route), description.split('\n\n').at(-1)]).toEqual([nameOf(route), sentenceOf(demand)]);
      expect(security).toEqual(schemesOf(demand));
    }
  });
});

/**
 * The tokens that a description names, with the scope they need. No scope opens a route that requires a session token.
 */
function schemesOf(demand: Demand): unknown[] {
  if (!demand.token) {
    return [];
  }
  if ('staff' in demand) {
    return [{ operator: [] }];
  }
  return [{ bearer: demand.sessionOnly === true || demand.scope === undefined ? [] : [demand.scope] }];
}

/** The last sentence of a description. */
function sentenceOf(demand: Demand): string {
  if (!demand.token) {
    return 'No authentication required.';
  }
  if ('staff' in demand) {
    return `Requires staff role \`${demand.staff}\`. Use an operator token, or a staff login with two-factor authentication.`;
  }
  const scope = demand.scope === undefined ? '' : `scope \`${demand.scope}\`, `;
  const session = demand.sessionOnly === true ? ', and a session token' : '';
  const self = demand.orSelf === undefined ? '' : ' To leave yourself, a session token is enough.';
  return `Requires ${scope}role \`${demand.role}\` or higher${session}.${self}${actingSentenceOf(demand.acting)}`;
}

function actingSentenceOf(acting: Acting): string {
  if (acting === 'self' || acting === 'never') {
    return '';
  }
  const roles = acting.includes('viewer') ? ['viewer'] : acting;
  const named = roles.map((role) => `\`${role}\``).join(' or ');
  return ` Staff who act for the organization need role ${named}.`;
}

interface Operation {
  description: string;
  security: unknown;
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Parsed from its text, as by a client. */
function readDocument(): Document {
  return JSON.parse(JSON.stringify(world.test.service.describeApi()));
}

function operationOf(document: Document, route: Route): Operation {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  if (operation === undefined) {
    throw new Error(`${nameOf(route)} is missing in the API reference`);
  }
  return operation;
}
