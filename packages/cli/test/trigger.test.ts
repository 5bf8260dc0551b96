import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Member } from '../../server/test/harness/index.ts';
import { type CliWorld, createCliTest } from './cli-world.ts';

const it = createCliTest()
  .override('options', ({ receiver }) => ({ settings: receiver.settings }))
  .extend(
    'createEndpoint',
    ({ receiver, world }) =>
      async ({ accessToken }: Member, path: string, events: readonly string[]): Promise<string> => {
        const made = await world.app.api.post('/v1/webhooks', accessToken, { url: receiver.url(path), events });
        return made.body.data.id;
      },
  );

describe('a test event', () => {
  it('goes to every active endpoint that subscribes to its type, and the response of each is shown', async ({
    app,
    receiver,
    world,
    createEndpoint,
  }) => {
    const { env, member } = await newcomer(world);
    const first = await createEndpoint(member, '/first', ['license.*']);
    const second = await createEndpoint(member, '/second', ['*']);
    await createEndpoint(member, '/other', ['org.member.joined']);
    const paused = await createEndpoint(member, '/paused', ['*']);
    await app.api.call('PATCH', `/v1/webhooks/${paused}`, {
      token: member.accessToken,
      body: { status: 'paused' },
    });

    const result = await world.runWithJobs(['webhooks', 'trigger', 'license.expired', '--json'], { env });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    const { type, outcomes } = JSON.parse(result.stdout);
    expect(type).toBe('license.expired');
    expect(outcomes).toHaveLength(2);
    for (const [id, path] of [
      [first, '/first'],
      [second, '/second'],
    ]) {
      const outcome = outcomes.find((each: { webhook_id: string }) => each.webhook_id === id);
      expect(outcome).toMatchObject({ url: receiver.url(path), status_code: 200, error: null });
      const got = receiver.received.filter((each) => each.path === path);
      expect(got.map((each) => [each.event.type, each.headers['x-service-delivery']])).toEqual([
        ['license.expired', outcome.delivery_id],
      ]);
    }
    expect(result.stdout + result.stderr).not.toContain(env.SEATHOLD_TOKEN);
  });

  it('that an endpoint rejects makes the command exit with 1 and shows why', async ({
    receiver,
    world,
    createEndpoint,
  }) => {
    const { env, member } = await newcomer(world);
    const failing = await createEndpoint(member, '/failing', ['*']);
    await createEndpoint(member, '/well', ['*']);
    receiver.behave(({ path }, response) => response.writeHead(path === '/failing' ? 500 : 204).end());
    const result = await world.runWithJobs(['webhooks', 'trigger', 'license.expired'], { env });
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(new RegExp(`^${failing}  \\S+/failing  500  \\d+ ms$`, 'm'));
    expect(result.stdout).toMatch(/^wh_\w+ {2}\S+\/well {2}204 {2}\d+ ms$/m);
  });

  it('goes only to the given endpoint, even if it does not subscribe to the type', async ({
    receiver,
    world,
    createEndpoint,
  }) => {
    const { env, member } = await newcomer(world);
    await createEndpoint(member, '/all', ['*']);
    const named = await createEndpoint(member, '/named', ['org.member.joined']);
    receiver.behave((_received, response) => response.writeHead(200).end());
    const words = ['webhooks', 'trigger', 'license.expired', '--endpoint', named, '--json'];
    const { outcomes } = JSON.parse((await world.runWithJobs(words, { env })).stdout);
    expect(outcomes).toMatchObject([{ webhook_id: named, status_code: 200 }]);
  });

  it('that no endpoint subscribes to makes the command exit with 4', async ({ world, createEndpoint }) => {
    const { env, member } = await newcomer(world);
    await createEndpoint(member, '/other', ['org.member.joined']);
    const result = await world.run(['webhooks', 'trigger', 'license.expired'], { env });
    expect(result).toMatchObject({ code: 4, stderr: expect.stringContaining('No active endpoint') });
  });

  it('for an endpoint of another organization makes the command exit with 4', async ({ world, createEndpoint }) => {
    const { env } = await newcomer(world);
    const foreign = await createEndpoint((await newcomer(world)).member, '/foreign', ['*']);
    const words = ['webhooks', 'trigger', 'license.expired', '--endpoint', foreign];
    expect(await world.run(words, { env })).toMatchObject({ code: 4 });
  });

  it('of an unknown type makes the command exit with 2 and list the types', async ({ world }) => {
    const { env } = await newcomer(world);
    const result = await world.run(['webhooks', 'trigger', 'license.exploded', '--json'], { env });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('license.expired') });
    expect(JSON.parse(result.stderr).error.code).toBe('invalid_argument');
  });

  it('is refused if the token lacks the scope, which the error names', async ({ world, createEndpoint }) => {
    const { env } = await newcomer(world, ['read:org']);
    const { member } = await newcomer(world);
    const words = ['webhooks', 'trigger', 'license.expired'];
    await createEndpoint(member, '/scope', ['*']);
    const own = await newcomer(world, ['read:org'], member);
    expect(await world.run(words, { env: own.env })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('admin:org'),
    });
    expect(await world.run(words, { env })).toMatchObject({ code: 4 });
  });
});

/** A person with an organization and an API token, as in CI. */
async function newcomer(world: CliWorld, scopes: readonly string[] = ['read:org', 'admin:org'], known?: Member) {
  const member = known ?? (await world.app.register());
  const name = randomBytes(4).toString('hex');
  const made = await world.app.api.post('/v1/api-tokens', member.accessToken, { name, scopes });
  const env = { SEATHOLD_TOKEN: String(made.body.data.token), SEATHOLD_BASE_URL: world.baseUrl };
  return { member, env };
}
