import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect } from 'vitest';
import { execute, type Member } from '../../server/test/harness/index.ts';
import { type CliWorld, createCliTest, type Running } from './cli-world.ts';

const it = createCliTest().extend('local', { scope: 'file' }, async ({}, { onCleanup }): Promise<LocalReceiver> => {
  const local = await startLocalReceiver();
  onCleanup(async () => void (await local.close()));
  return local;
});
it.afterEach(({ local }) => local.reset());

describe('seathold listen', () => {
  it("forwards each of a seat's events once, with a signature that stock libraries verify", async ({
    app,
    world,
    local,
  }) => {
    const { member, env } = await newcomer(world);
    await useSeat(world, member);
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url, '--json'], { env });
    await running.until('"ready"');
    const { secret } = JSON.parse(running.output.stdout);
    await useSeat(world, member);
    await running.until('"forwarded"', 2);
    await useSeat(world, member);
    await running.until('"forwarded"', 4);
    expect(await interrupt(running)).toMatchObject({ code: 0, stderr: '' });

    const listed = await app.api.get('/v1/events?sort=created', member.accessToken);
    const expected = listed.body.data.slice(2);
    expect(expected).toHaveLength(4);
    const bodies = local.received.map(({ body }) => JSON.parse(body));
    expect(bodies.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(expected);
    for (const { headers, body } of local.received) {
      const event = Stripe.webhooks.constructEvent(body, String(headers['x-service-signature']), secret);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': expect.stringMatching(/^Seathold\//),
        'x-service-event': event.type,
        'x-service-delivery': expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
        'webhook-id': event.id,
      });
      const standard = new Webhook(secret).verify(body, headers as Record<string, string>);
      expect(standard).toEqual(JSON.parse(body));
    }
    const { SEATHOLD_TOKEN: token } = env;
    expect(running.output.stdout).not.toContain(token);
  });

  it('leaves out event types that were not requested', async ({ world, local }) => {
    const { member, env } = await newcomer(world);
    const words = ['webhooks', 'listen', '--forward-to', local.url, '--events', 'org.*, license.seat.released'];
    const running = world.start(words, { env });
    await running.until('Listening.');
    await useSeat(world, member);
    await running.until('license.seat.released');
    await interrupt(running);
    expect(running.output.stdout).not.toContain('license.seat.acquired');
  });

  it('starts in the past if given a time', async ({ app, world, local }) => {
    const { member, env } = await newcomer(world);
    await useSeat(world, member);
    const listed = await app.api.get('/v1/events?sort=created', member.accessToken);
    const words = ['webhooks', 'listen', '--forward-to', local.url, '--since', listed.body.data[0].created];
    const running = world.start(words, { env });
    await running.until('license.seat.acquired');
    await running.until('license.seat.released');
    await interrupt(running);
    expect(local.received).toHaveLength(2);
  });

  it("follows the organization's clock even when it runs ahead", async ({ app, world, local }) => {
    const { member, env } = await newcomer(world);
    await useSeat(world, member);
    await app.moveClock(member.organizationId, 30 * 86_400);
    await useSeat(world, member);
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url, '--json'], { env });
    await running.until('"ready"');
    await useSeat(world, member);
    await running.until('"forwarded"', 2);
    await interrupt(running);
    expect(local.received).toHaveLength(2);
  });

  it('forwards an event that was committed after newer ones had been seen', async ({ app, world, local }) => {
    const { member, env } = await newcomer(world);
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url, '--json'], { env });
    await running.until('"ready"');
    await useSeat(world, member);
    await running.until('"forwarded"', 2);
    const late = 'evt_0000000000000000000000late';
    await execute(
      app.database,
      `insert into events (organization_id, id, type, created, object)
      select organization_id, $2, type, created - interval '45 seconds', object from events
      where organization_id = $1 and type = 'license.seat.acquired'`,
      [member.organizationId, late],
    );
    await running.until(late);
    await interrupt(running);
    expect(local.received).toHaveLength(3);
  });

  it('shows what the receiver refuses, and does not send it again', async ({ world, local }) => {
    const { member, env } = await newcomer(world);
    local.status = 503;
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url], { env });
    await running.until('Listening.');
    await useSeat(world, member);
    await running.until('  503  ', 2);
    await useSeat(world, member);
    await running.until('  503  ', 4);
    await interrupt(running);
    expect(local.received).toHaveLength(4);
  });

  it('keeps at most ten requests in flight, and stops in time even if none is answered', async ({ world, local }) => {
    const { member, env } = await newcomer(world);
    local.isHanging = true;
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url, '--json'], { env });
    await running.until('"ready"');
    await Promise.all(Array.from({ length: 6 }, () => useSeat(world, member)));
    await local.untilReceived(10);
    const ended = await interrupt(running);
    expect(ended.code).toBe(0);
    expect(local.received).toHaveLength(10);
    expect(ended.stdout.split('"canceled"')).toHaveLength(11);
  });

  it('shows when the receiver cannot be reached', async ({ world }) => {
    const { member, env } = await newcomer(world);
    const running = world.start(['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:1/hooks', '--json'], { env });
    await running.until('"ready"');
    await useSeat(world, member);
    await running.until('"connection_refused"', 2);
    expect(await interrupt(running)).toMatchObject({ code: 0 });
  });

  it('signs with the secret that the environment names, and does not print it', async ({ world, local }) => {
    const { member, env } = await newcomer(world);
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url], {
      env: { ...env, SEATHOLD_WEBHOOK_SECRET: secret },
    });
    await running.until('Listening.');
    await useSeat(world, member);
    await running.until('license.seat.released');
    const { stdout, stderr } = await interrupt(running);
    expect(stdout + stderr).not.toContain(secret);
    for (const { headers, body } of local.received) {
      Stripe.webhooks.constructEvent(body, String(headers['x-service-signature']), secret);
    }
  });

  it('continues after a database outage', async ({ app, world, local }) => {
    const { member, env } = await newcomer(world);
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url, '--json'], { env });
    await running.until('"ready"');
    await execute(app.database, 'alter table events rename to events_away');
    await running.until('"waiting"');
    await execute(app.database, 'alter table events_away rename to events');
    await running.until('"resumed"');
    await useSeat(world, member);
    await running.until('"forwarded"', 2);
    expect(await interrupt(running)).toMatchObject({ code: 0 });
  });

  it('exits with 3 when its token is revoked', async ({ app, world, local }) => {
    const { member, env, tokenId } = await newcomer(world);
    const running = world.start(['webhooks', 'listen', '--forward-to', local.url], { env });
    await running.until('Listening.');
    await app.api.call('DELETE', `/v1/api-tokens/${tokenId}`, { token: member.accessToken });
    expect(await running.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('seathold: ') });
  });
});

describe('wrong usage', () => {
  it.for([
    [['--forward-to', 'http://93.184.215.14/hooks'], '--allow-remote'],
    [['--forward-to', 'http://receiver.localhost/hooks'], '--allow-remote'],
    [['--forward-to', 'ftp://localhost/hooks'], 'http://localhost:3000'],
    [['--forward-to', 'http://user:pass@localhost/hooks'], 'must not contain credentials'],
    [['--forward-to', 'http://localhost/hooks', '--since', 'yesterday'], '2027-12-31T12:00:00Z'],
    [['--forward-to', 'http://localhost/hooks', '--since', '2026-02-30'], '2027-12-31T12:00:00Z'],
    [['--forward-to', 'http://localhost/hooks', '--events', 'licence.*'], 'Unknown event type or group: licence.*'],
  ] as const)('%j is reported', async ([words, hint], { world }) => {
    const { env } = await newcomer(world);
    const result = await world.run(['webhooks', 'listen', ...words], { env });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(hint) });
  });
});

/** A person with an organization and an API token, as in CI. */
async function newcomer(world: CliWorld) {
  const member = await world.app.register();
  const body = { name: 'CI', scopes: ['read:org'] };
  const made = await world.app.api.post('/v1/api-tokens', member.accessToken, body);
  const env = { SEATHOLD_TOKEN: String(made.body.data.token), SEATHOLD_BASE_URL: world.baseUrl };
  return { member, env, tokenId: String(made.body.data.id) };
}

/** Acquires a seat and releases it: two events. */
async function useSeat(world: CliWorld, { organizationId, accessToken }: Member): Promise<void> {
  const { key } = await world.app.issueLicense(organizationId);
  const seat = { license_key: key, hardware_id: `hw_${'a'.repeat(32)}` };
  const acquired = await world.app.api.post('/v1/licenses/acquire', accessToken, seat);
  const { session_id } = acquired.body.data;
  await world.app.api.post('/v1/licenses/release', accessToken, { session_id });
}

async function interrupt(running: Running) {
  running.child.kill('SIGINT');
  return running.ended;
}

interface LocalReceiver {
  url: string;
  status: number;
  isHanging: boolean;
  received: Array<{ headers: IncomingHttpHeaders; body: string }>;
  untilReceived(count: number): Promise<void>;
  reset(): void;
  close(): Promise<unknown>;
}

/** A receiver under development: plain HTTP, on this machine. */
async function startLocalReceiver(): Promise<LocalReceiver> {
  const arrived = new EventEmitter();
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    opened.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    arrived.emit('request');
    if (!opened.isHanging) {
      response.writeHead(opened.status).end('done');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const opened: LocalReceiver = {
    url: `http://localhost:${port}/hooks`,
    status: 200,
    isHanging: false,
    received: [],
    untilReceived: async (count) => {
      while (opened.received.length < count) {
        await once(arrived, 'request');
      }
    },
    reset: () => {
      opened.received = [];
      opened.status = 200;
      opened.isHanging = false;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return opened;
}
