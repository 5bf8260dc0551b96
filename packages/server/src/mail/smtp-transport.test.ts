import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { execute } from '../../test/harness/index.ts';
import { createMailTest } from '../../test/mail/mail-fixtures.ts';
import { CODE } from '../../test/mail/mail-world.ts';
import { receiveMails } from '../../test/mail/smtp-receiver.ts';
import { ensureLocalCertificate } from '../security/index.ts';
import { createSmtpTransport } from './smtp-transport.ts';

const it = createMailTest();

describe('the content of a mail', () => {
  it('appears neither in the log nor in the table, even if the server quotes it', async ({ world }) => {
    const content = { subject: 'A very private subject', link: { label: 'Here', url: 'https://localhost/private' } };
    await world.queue('ada@example.com', content);
    await world.queue('bob@example.com', content);
    const { send, logLines } = world.openWorker();
    world.receiver.behaviour = 'quote';
    await send();
    world.receiver.behaviour = 'refuse';
    await world.makeDue();
    await execute(world.test.database, 'update outgoing_mails set attempts = 7 where recipient = $1', [
      'bob@example.com',
    ]);
    await send();
    const [whole] = await execute<{ text: string }>(
      world.test.database,
      `select string_agg(concat(m.*, encode(content, 'escape'), encode(content, 'hex')), '') as text from outgoing_mails m`,
    );
    const seen = `${whole?.text}${logLines.join('')}`;
    for (const secret of [CODE, Buffer.from(CODE).toString('hex'), 'private', 'Someone asked']) {
      expect(seen).not.toContain(secret);
    }
    expect(logLines.join('')).not.toMatch(/ada@|bob@/);
    expect(logLines).toHaveLength(4);
    for (const { last_error } of await world.listRows()) {
      expect(last_error).toMatch(/: 554 5\.6\.0$|: 550 5\.1\.1 no such user$/);
    }
  });
});

describe('a server that does not respond', () => {
  it('is reported with the step that timed out', async ({ world }) => {
    await world.queue();
    world.receiver.behaviour = 'hang';
    const server = {
      host: '127.0.0.1',
      port: world.receiver.port,
      secure: false,
      user: undefined,
      password: undefined,
    };
    const transport = createSmtpTransport(server, { connectMs: 5_000, greetingMs: 50, silenceMs: 5_000 });
    await world.openWorker({ transport }).send();
    expect((await world.onlyRow()).last_error).toBe('Greeting never received');
  });
});

describe('the connection to the server', () => {
  it('is refused if the certificate is not trusted, and nothing is sent unencrypted instead', async ({ world }) => {
    const dir = await mkdtemp(join(tmpdir(), 'seathold-mail-tls-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const { certPem: cert, keyPem: key } = await ensureLocalCertificate({
      dir,
      hostnames: ['localhost'],
      now: new Date(),
    });
    const offering = await receiveMails({ cert, key });
    onTestFinished(() => offering.close());
    await world.queue();
    const { send, logLines } = world.openWorker({ server: { port: offering.port, user: 'ada', password: 'hunter2' } });
    await send();
    expect(offering.commands.map((each) => each.split(' ')[0])).toEqual(['EHLO', 'STARTTLS']);
    expect(await world.onlyRow()).toMatchObject({ attempts: 1, content: expect.any(Buffer) });
    expect(logLines.join('')).toMatch(/"reason":"E(?:SOCKET|TLS)/);
  });

  it('sends a password to another machine only with TLS', async ({ world }) => {
    await world.queue();
    const { send } = world.openWorker({ server: { host: '0.0.0.0', user: 'ada', password: 'hunter2' } });
    await send();
    expect(world.receiver.received).toEqual([]);
    expect(world.receiver.commands.join('\n')).not.toContain('AUTH');
    expect(await world.onlyRow()).toMatchObject({ attempts: 1 });
  });

  it('sends a password to this machine even without TLS', async ({ world }) => {
    await world.queue();
    await world.openWorker({ server: { user: 'ada', password: 'hunter2' } }).send();
    expect(world.receiver.commands.filter((each) => each.startsWith('AUTH'))).toHaveLength(1);
    expect(world.receiver.received).toHaveLength(1);
  });
});
