import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { cloneDatabase } from '../../test/harness/clone-database.ts';
import { execute } from '../../test/harness/index.ts';
import { createMailTest } from '../../test/mail/mail-fixtures.ts';
import { examineInstallation } from './examine-installation.ts';
import { examineSmtpServer } from './examine-mail.ts';

const it = createMailTest()
  .extend('environment', { scope: 'file' }, async ({ world }) => ({
    DATABASE_URL: world.test.databaseUrl,
    SANDBOX_DATABASE_URL: await cloneDatabase(),
    SEATHOLD_MASTER_KEY: randomBytes(32).toString('base64'),
  }))
  .extend('examineMails', ({ environment }) => async (settings: Record<string, string> = {}) => {
    const findings = await examineInstallation({ ...environment, ...settings });
    return findings.filter(({ check }) => /mail|SMTP/.test(check));
  });

it('without any mail everything is fine, and no server is contacted', async ({ examineMails }) => {
  expect(await examineMails()).toEqual(
    ['production', 'sandbox'].map((name) => ({
      check: `${name}: mail`,
      ok: true,
      detail: '0 waiting; 0 failed in the last 30 days',
    })),
  );
});

it('the check shows how many mails wait and since when, how many failed permanently, and the environment', async ({
  world,
  examineMails,
}) => {
  for (const recipient of ['ada@example.com', 'bob@example.com', 'cleo@example.com']) {
    await world.queue(recipient);
  }
  const age = (recipient: string, minutes: number) =>
    execute(
      world.test.database,
      `update outgoing_mails set created_at = clock_timestamp() - $2 * interval '1 minute' where recipient = $1`,
      [recipient, minutes],
    );
  await execute(
    world.test.database,
    "update outgoing_mails set gave_up_at = clock_timestamp(), content = null where recipient = 'cleo@example.com'",
  );
  await age('cleo@example.com', 6_000);
  await age('bob@example.com', 50);
  const detail = '2 waiting, the oldest for 50 min; 1 failed in the last 30 days';
  expect((await examineMails())[0]).toEqual({ check: 'production: mail', ok: true, detail });
  await age('bob@example.com', 181);
  const [production, sandbox] = await examineMails();
  expect(production).toMatchObject({ ok: false, detail: expect.stringContaining('the oldest for 3 h;') });
  expect(sandbox).toMatchObject({ ok: true, detail: expect.stringContaining('0 waiting;') });
});

it('the check asks the configured server for its greeting, and sends it nothing', async ({ world, examineMails }) => {
  await world.queue();
  const findings = await examineMails({ SEATHOLD_SMTP_URL: `smtp://ada:hunter2@127.0.0.1:${world.receiver.port}` });
  expect(findings.at(-1)).toEqual({
    check: 'SMTP server',
    ok: true,
    detail: `127.0.0.1:${world.receiver.port} responds`,
  });
  expect([world.receiver.commands, world.receiver.received]).toEqual([[], []]);
});

it.for(['hang', 'babble'] as const)(
  'the check does not wait for a server that does nothing but %s',
  async (behaviour, { world }) => {
    world.receiver.behaviour = behaviour;
    const server = { host: '127.0.0.1', port: world.receiver.port, secure: false, user: 'ada', password: 'hunter2' };
    expect(await examineSmtpServer(server, 100)).toEqual({
      check: 'SMTP server',
      ok: false,
      detail: `127.0.0.1:${world.receiver.port} does not respond: no greeting within 0.1 s`,
    });
  },
);

it('the check reports what went wrong on the way to the server', async ({ world }) => {
  const server = { host: '127.0.0.1', port: world.receiver.port, user: undefined, password: undefined };
  for (const host of ['127.0.0.1', 'localhost']) {
    const { ok, detail } = await examineSmtpServer({ ...server, host, port: 1, secure: false });
    expect([ok, detail]).toEqual([false, expect.stringContaining('ECONNREFUSED')]);
  }
  expect(await examineSmtpServer({ ...server, secure: true })).toMatchObject({ ok: false });
});
