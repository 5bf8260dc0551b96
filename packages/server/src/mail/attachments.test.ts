import { describe, expect } from 'vitest';
import { execute } from '../../test/harness/index.ts';
import { createMailTest } from '../../test/mail/mail-fixtures.ts';
import type { MailWorld } from '../../test/mail/mail-world.ts';
import { readMail } from '../../test/mail/read-mail.ts';
import { MAX_ATTACHMENT_BYTES } from './load-attachment.ts';
import type { Attachment, AttachmentReference, ReadAttachment } from './mailer.ts';

const it = createMailTest();

const REFERENCE: AttachmentReference = { kind: 'invoice', organization_id: 'org_1', id: 'inv_1' };
const MISSING = 'We could not attach the invoice to this email.';
const fileOf = (bytes: number): Attachment => ({
  filename: 'ACME-000001.pdf',
  contentType: 'application/pdf',
  content: Buffer.alloc(bytes, '%PDF-'),
});

const receivedMail = (world: MailWorld) => readMail(world.receiver.received[0]?.data ?? '');
const makeDue = (world: MailWorld) =>
  execute(world.test.database, 'update outgoing_mails set due_at = clock_timestamp()');

describe('a mail with an attachment', () => {
  it('stores only a reference to the file, and carries the file when it is sent', async ({ world }) => {
    await world.queue('ada@example.com', { attachment: REFERENCE });
    const asked: AttachmentReference[] = [];
    const readAttachment: ReadAttachment = async (reference) => {
      asked.push(reference);
      return fileOf(70_000);
    };
    const [row] = await execute<{ bytes: number }>(
      world.test.database,
      'select length(content)::int as bytes from outgoing_mails',
    );
    expect(row?.bytes).toBeLessThan(1_000);
    await world.openWorker({ readAttachment }).send();
    expect(asked).toEqual([REFERENCE]);
    const data = world.receiver.received[0]?.data ?? '';
    expect(data).toMatch(/Content-Type: application\/pdf; name=ACME-000001\.pdf/);
    expect(data).toContain('Content-Disposition: attachment; filename=ACME-000001.pdf');
    const [, encoded = ''] = /filename=ACME-000001\.pdf\r\n\r\n([\s\S]*?)\r\n--/.exec(data) ?? [];
    expect(Buffer.from(encoded, 'base64').equals(fileOf(70_000).content)).toBe(true);
    expect(data).not.toContain(MISSING);
  });

  it('is retried while the file cannot be read, then sent without it with a note', async ({ world }) => {
    await world.queue('ada@example.com', { attachment: REFERENCE });
    const readAttachment = () => Promise.reject(new Error('too many wait'));
    const { send, logLines } = world.openWorker({ readAttachment });
    for (const attempts of [1, 2, 3]) {
      await send();
      expect(await world.listRows()).toMatchObject([{ attempts, last_error: 'too many wait' }]);
      expect(world.receiver.received).toEqual([]);
      await makeDue(world);
    }
    await send();
    expect(await world.listRows()).toEqual([]);
    expect(
      receivedMail(world)
        .parts.map((part) => part.text)
        .join(),
    ).toContain(MISSING);
    expect(logLines.some((line) => line.includes('sent a mail without its attachment'))).toBe(true);
  });

  it.for([
    ['gone', async (): Promise<undefined> => undefined],
    ['too large', async () => fileOf(MAX_ATTACHMENT_BYTES + 1)],
  ] as const)('is sent without a file that is %s', async ([_what, readAttachment], { world }) => {
    await world.queue('ada@example.com', { attachment: REFERENCE });
    await world.openWorker({ readAttachment }).send();
    expect(receivedMail(world).parts[0]?.text).toContain(MISSING);
    expect(world.receiver.received[0]?.data).not.toContain('application/pdf');
  });

  it('waits for a file for at most half of the sending timeout', async ({ world }) => {
    await world.queue('ada@example.com', { attachment: REFERENCE });
    const readAttachment = () => new Promise<never>(() => undefined);
    await world.openWorker({ readAttachment, sendTimeoutMs: 40 }).send();
    expect(await world.listRows()).toMatchObject([{ attempts: 1, claim_id: null }]);
  });
});
