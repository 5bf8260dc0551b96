import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { execute, startAppForTest } from '../../test/harness/index.ts';
import { readMail } from '../../test/mail/read-mail.ts';
import { Mailer } from './index.ts';

const CONTENT = { subject: 'Welcome', paragraphs: ['Hello.'], code: 'a-secret-of-this-test' };

async function sendOne(environment: 'production' | 'sandbox') {
  const dataDir = await mkdtemp(join(tmpdir(), 'seathold-create-mail-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const test = await startAppForTest({ environment, settings: { SEATHOLD_DATA_DIR: dataDir } });
  const mailer = new Mailer(test.masterKey);
  await test.database.transaction((tx) =>
    mailer.queue(tx, { kind: 'welcome', recipient: 'ada@example.com', content: CONTENT }),
  );
  const waiting = await (await fetch(`${test.api.baseUrl}/metrics`)).text();
  await test.service.jobs.find((job) => job.name === 'mail.send-due-1')?.run();
  const [name = ''] = await readdir(join(dataDir, 'mail'));
  return { test, waiting, name, ...readMail(await readFile(join(dataDir, 'mail', name), 'latin1')) };
}

it('without an SMTP server a mail is written to a file, and one log line names it', async () => {
  const { test, name, headers } = await sendOne('production');
  expect(headers.get('subject')).toBe('Welcome');
  expect(headers.get('from')).toBe('Seathold <no-reply@localhost>');
  const lines = test.logLines.filter((line) => line.includes('a mail was sent'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'welcome', mail_id: expect.stringMatching(/^mail_/), file: expect.stringMatching(new RegExp(`${name}$`)) },
  ]);
  expect(test.logLines.join('')).not.toMatch(/a-secret-of-this-test|ada@example\.com/);
  expect(await execute(test.database, 'select 1 from outgoing_mails')).toEqual([]);
});

it('sandbox mails are marked as such in the subject', async () => {
  expect((await sendOne('sandbox')).headers.get('subject')).toBe('[sandbox] Welcome');
});

it('the metrics show how many mails wait', async () => {
  expect((await sendOne('production')).waiting).toMatch(/^seathold_mails_waiting\{environment="production"\} 1$/m);
});
