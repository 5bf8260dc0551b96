import { describe, expect, onTestFinished, vi } from 'vitest';
import { execute } from '../../test/harness/index.ts';
import { createMailTest } from '../../test/mail/mail-fixtures.ts';
import { CODE, FROM, type MailWorld, NOBODY_STOPS } from '../../test/mail/mail-world.ts';
import { readMail } from '../../test/mail/read-mail.ts';
import { Database } from '../database/index.ts';
import { runJobs, sleepUntilDue } from '../jobs/index.ts';
import { composeMail, messageIdOf } from './compose-mail.ts';
import { claimDueMails, deleteSentMail } from './queries.ts';
import { RETRY_DELAYS_SECONDS } from './retry-rules.ts';

const it = createMailTest();

const messageIds = (world: MailWorld) =>
  world.receiver.received.map(({ data }) => readMail(data).headers.get('message-id'));

describe('a due mail', () => {
  it('arrives with everything that was queued, and its row is deleted', async ({ world }) => {
    await world.queue('zoë@example.com', { subject: 'Für Zoë' });
    const { send, logLines } = world.openWorker();
    await send();
    expect(world.receiver.received.map((each) => Buffer.from(each.recipient, 'latin1').toString())).toEqual([
      'zoë@example.com',
    ]);
    const { headers, parts } = readMail(world.receiver.received[0]?.data ?? '');
    expect(headers.get('subject')).toBe('Für Zoë');
    expect(parts[0]?.text).toContain(`\r\n${CODE}\r\n`);
    expect(await world.listRows()).toEqual([]);
    expect(logLines.map((line) => JSON.parse(line))).toMatchObject([{ kind: 'password_reset', level: 30 }]);
  });

  it('is sent exactly once by two simultaneous workers that take a few mails each', async ({ world }) => {
    const database = new Database(
      world.test.databaseUrl,
      { connections: 10, maxWaiting: 100, patienceMs: 600_000 },
      () => undefined,
    );
    onTestFinished(() => database.close());
    for (let each = 0; each < 60; each += 1) {
      await world.queue(`user-${each}@example.com`);
    }
    const ids = (await world.listRows()).map((row) => messageIdOf(row.id, FROM));
    await Promise.all([world.openWorker().send(), world.openWorker({ database }).send()]);
    expect(messageIds(world).sort()).toEqual(ids.sort());
    expect(await world.listRows()).toEqual([]);
    expect(world.receiver.mostAtOnce).toBeLessThanOrEqual(8);
    expect(world.receiver.mostAtOnce).toBeGreaterThan(1);
  });

  it('is sent at the next run while three others hang', async ({ world }) => {
    // A hanging send lasts until the end of the test, so a mail that waited for it would never be sent.
    const { sending, jobs } = world.openWorker({ sendTimeoutMs: 86_400_000 });
    world.receiver.behaviour = 'hang';
    for (const name of ['ada', 'bob', 'cleo']) {
      await world.queue(`${name}@example.com`);
    }
    const running = runJobs(sleepUntilDue(world.test.database, jobs), sending.log);
    await vi.waitFor(() => expect(world.receiver.mostAtOnce).toBe(3), WAIT_OPTIONS);
    world.receiver.behaviour = 'accept';
    await world.queue('dora@example.com');
    await vi.waitFor(() => expect(world.receiver.received).toHaveLength(1), WAIT_OPTIONS);
    await running.stop();
    expect(world.receiver.received.map((each) => each.recipient)).toEqual(['dora@example.com']);
    expect((await world.listRows()).map((row) => row.attempts)).toEqual([0, 0, 0]);
  });

  it('is sent again with the same Message-ID and date after a crash between sending and deleting', async ({
    world,
  }) => {
    await world.queue();
    const { sending, send } = world.openWorker();
    const claimedAtMs = performance.now();
    const [claimed] = await claimDueMails(world.test.database, {
      claimId: 'a worker that dies',
      limit: 1,
      leaseSeconds: 120,
    });
    if (claimed === undefined) {
      throw new Error('nothing was due');
    }
    const content = world.mailer.decrypt(claimed.id, claimed.content);
    const message = composeMail({ ...sending, ...claimed, content, queuedAt: claimed.created_at });
    await sending.transport.send(message, NOBODY_STOPS);
    await send();
    expect(world.receiver.received).toHaveLength(1);
    expect((await world.onlyRow()).due_in_seconds).toBeGreaterThan(119 - (performance.now() - claimedAtMs) / 1_000);
    await world.makeDue();
    await send();
    expect(messageIds(world)).toEqual(Array(2).fill(messageIdOf(claimed.id, FROM)));
    expect(new Set(world.receiver.received.map(({ data }) => readMail(data).headers.get('date'))).size).toBe(1);
    expect(await world.listRows()).toEqual([]);
  });

  it('is not deleted by a worker whose lease ended while another holds it', async ({ world }) => {
    await world.queue();
    const [late] = await claimDueMails(world.test.database, { claimId: 'late', limit: 1, leaseSeconds: 120 });
    await world.makeDue();
    await claimDueMails(world.test.database, { claimId: 'next', limit: 1, leaseSeconds: 120 });
    if (late !== undefined) {
      await deleteSentMail(world.test.database, { id: late.id, claimId: late.claim_id });
    }
    expect(await world.onlyRow()).toMatchObject({ claim_id: 'next' });
  });
});

describe('a mail that is not accepted', () => {
  it('is retried after ten seconds, and sent when the server accepts it', async ({ world }) => {
    await world.queue();
    world.receiver.behaviour = 'defer';
    const { send } = world.openWorker();
    const sentAtMs = performance.now();
    await send();
    const row = await world.onlyRow();
    expect(row).toMatchObject({ attempts: 1, claim_id: null, gave_up_at: null });
    expect(row.last_error).toContain('451 4.3.0 later, please');
    expect(row.due_in_seconds).toBeGreaterThan(8 - (performance.now() - sentAtMs) / 1_000);
    expect(row.due_in_seconds).toBeLessThanOrEqual(10);
    world.receiver.behaviour = 'accept';
    await world.makeDue(3_600);
    await send();
    expect(world.receiver.received).toEqual([]);
    await world.makeDue();
    await send();
    expect(world.receiver.received).toHaveLength(1);
    expect(await world.listRows()).toEqual([]);
  });

  it('is retried after 10 s, 1 m, 5 m, 30 m, 2 h, 6 h and 24 h, and then abandoned and its content deleted', async ({
    world,
  }) => {
    await world.queue();
    world.receiver.behaviour = 'defer';
    const { send, logLines } = world.openWorker();
    expect(RETRY_DELAYS_SECONDS).toEqual([10, 60, 300, 1_800, 7_200, 21_600, 86_400]);
    for (const delay of RETRY_DELAYS_SECONDS) {
      await world.makeDue();
      const sentAtMs = performance.now();
      await send();
      const { due_in_seconds: seconds } = await world.onlyRow();
      expect(seconds).toBeLessThanOrEqual(delay);
      expect(seconds).toBeGreaterThan(delay - 1 - (performance.now() - sentAtMs) / 1_000);
    }
    await world.makeDue();
    await send();
    expect(await world.onlyRow()).toMatchObject({
      attempts: 8,
      content: null,
      claim_id: null,
      gave_up_at: expect.any(Date),
    });
    expect(logLines.at(-1)).toContain('"msg":"a mail was given up"');
    await world.makeDue();
    const commands = world.receiver.commands.length;
    await send();
    expect(world.receiver.commands).toHaveLength(commands);
  });

  it('fails immediately if the server reports that the recipient does not exist', async ({ world }) => {
    await world.queue();
    world.receiver.behaviour = 'refuse';
    await world.openWorker().send();
    expect(await world.onlyRow()).toMatchObject({ attempts: 1, content: null, gave_up_at: expect.any(Date) });
  });

  it('waits if the server refuses us rather than the recipient', async ({ world }) => {
    await world.queue();
    world.receiver.behaviour = 'deny';
    await world.openWorker().send();
    expect(await world.onlyRow()).toMatchObject({ attempts: 1, content: expect.any(Buffer), gave_up_at: null });
  });

  it('is sent again with the same Message-ID if the connection broke before the response', async ({ world }) => {
    await world.queue();
    world.receiver.behaviour = 'drop';
    const { send } = world.openWorker();
    await send();
    expect(await world.onlyRow()).toMatchObject({ attempts: 1, gave_up_at: null });
    world.receiver.behaviour = 'accept';
    await world.makeDue();
    await send();
    expect(new Set(messageIds(world)).size).toBe(1);
    expect(world.receiver.received).toHaveLength(2);
  });

  it.for(['hang', 'babble'] as const)(
    'waits for the next attempt if the server does nothing but %s',
    async (behaviour, { world }) => {
      await world.queue();
      world.receiver.behaviour = behaviour;
      const { send } = world.openWorker({ sendTimeoutMs: 200 });
      await send();
      expect(await world.onlyRow()).toMatchObject({ attempts: 1, claim_id: null, content: expect.any(Buffer) });
    },
  );

  it('waits if the server cannot be reached', async ({ world }) => {
    await world.queue();
    const { send } = world.openWorker({ server: { port: 1 } });
    await send();
    expect(await world.onlyRow()).toMatchObject({ attempts: 1, gave_up_at: null });
  });

  it('is handed back uncounted if the service stops while the server hangs', async ({ world }) => {
    await world.queue('ada@example.com');
    await world.queue('bob@example.com');
    world.receiver.behaviour = 'hang';
    const stopping = new AbortController();
    const sending = world.openWorker({ sendTimeoutMs: 86_400_000 }).send(stopping.signal);
    await vi.waitFor(() => expect(world.receiver.mostAtOnce).toBeGreaterThan(0), WAIT_OPTIONS);
    stopping.abort();
    await sending;
    for (const row of await world.listRows()) {
      expect(row).toMatchObject({ attempts: 0, claim_id: null, last_error: null });
      expect(row.due_in_seconds).toBeLessThanOrEqual(0);
    }
    expect(await world.listRows()).toHaveLength(2);
  });

  it('is deleted 30 days after it was abandoned', async ({ world }) => {
    await world.queue();
    world.receiver.behaviour = 'refuse';
    const { send, forget } = world.openWorker();
    await send();
    const age = (days: number) =>
      execute(world.test.database, `update outgoing_mails set gave_up_at = clock_timestamp() - $1 * interval '1 day'`, [
        days,
      ]);
    await age(29.9);
    await forget();
    expect(await world.listRows()).toHaveLength(1);
    await age(30.1);
    await forget();
    expect(await world.listRows()).toEqual([]);
  });
});

/** Only a hang takes this long. */
const WAIT_OPTIONS = { timeout: 300_000, interval: 20 };
