import { expect } from 'vitest';
import type { Job } from '../../src/jobs/index.ts';
import { createLogger } from '../../src/log/index.ts';
import { mailJobs } from '../../src/mail/jobs.ts';
import { type MailContent, Mailer } from '../../src/mail/mailer.ts';
import type { MailSending } from '../../src/mail/send-due-mails.ts';
import { createSmtpTransport, type SmtpServer } from '../../src/mail/smtp-transport.ts';
import { execute, startTestApp, type TestApp } from '../harness/index.ts';
import { receiveMails, type SmtpReceiver } from './smtp-receiver.ts';

export const FROM = { name: 'Seathold', address: 'no-reply@example.com' };
const BRAND = { name: 'Seathold', logoUrl: '', color: '#1d4ed8', supportEmail: '' };
export const CODE = 'svc_reset_4bcdefghjkmnpqrstvwxyz';
export const NOBODY_STOPS = new AbortController().signal;

/** A queued mail, as stored in its table. */
interface Row {
  id: string;
  content: Buffer | null;
  attempts: number;
  claim_id: string | null;
  gave_up_at: Date | null;
  last_error: string | null;
  due_in_seconds: number;
}

/** One database with an outbox, and an SMTP server. */
export class MailWorld {
  readonly test: TestApp;
  readonly receiver: SmtpReceiver;
  readonly mailer: Mailer;

  private constructor(test: TestApp, receiver: SmtpReceiver) {
    this.test = test;
    this.receiver = receiver;
    this.mailer = new Mailer(test.masterKey);
  }

  static async start(): Promise<MailWorld> {
    return new MailWorld(await startTestApp(), await receiveMails());
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.test.close();
  }

  /** As if nothing had been queued or sent yet. */
  async empty(): Promise<void> {
    await execute(this.test.database, 'delete from outgoing_mails');
    await execute(this.test.database, 'delete from mail_counts');
    this.receiver.behaviour = 'accept';
    this.receiver.received.length = 0;
    this.receiver.commands.length = 0;
    this.receiver.mostAtOnce = 0;
  }

  /** A process that sends mails. */
  openWorker({ server, ...changes }: Partial<MailSending> & { server?: Partial<SmtpServer> } = {}) {
    const logLines: string[] = [];
    const receiver = {
      host: '127.0.0.1',
      port: this.receiver.port,
      secure: false,
      user: undefined,
      password: undefined,
    };
    const sending: MailSending = {
      database: this.test.database,
      mailer: this.mailer,
      transport: createSmtpTransport({ ...receiver, ...server }),
      log: createLogger('debug', { write: (line) => logLines.push(line) }),
      from: FROM,
      brand: BRAND,
      isSandbox: false,
      readAttachment: async () => undefined,
      ...changes,
    };
    const jobs = mailJobs(sending);
    const run = async (name: string, stopping = NOBODY_STOPS) => {
      const runOne = async (job: Job) => {
        while ((await job.run(stopping)) && !stopping.aborted) {
          // There is more to do immediately.
        }
      };
      await Promise.all(jobs.filter((each) => each.name.startsWith(name)).map(runOne));
    };
    return {
      sending,
      logLines,
      jobs,
      send: (stopping?: AbortSignal) => run('mail.send-due-', stopping),
      forget: () => run('mail.delete-forgotten'),
    };
  }

  async queue(recipient = 'ada@example.com', content: Partial<MailContent> = {}): Promise<void> {
    const whole = { subject: 'Your password', paragraphs: ['Someone asked for a new one.'], code: CODE, ...content };
    await this.test.database.transaction((tx) =>
      this.mailer.queue(tx, { kind: 'password_reset', recipient, content: whole }),
    );
  }

  listRows(): Promise<Row[]> {
    return execute<Row>(
      this.test.database,
      'select *, extract(epoch from (due_at - clock_timestamp()::timestamptz(3)))::float8 as due_in_seconds from outgoing_mails order by id',
    );
  }

  async onlyRow(): Promise<Row> {
    const [row, ...others] = await this.listRows();
    expect(others).toEqual([]);
    if (row === undefined) {
      throw new Error('the mail is gone');
    }
    return row;
  }

  async makeDue(inSeconds = -1): Promise<void> {
    await execute(
      this.test.database,
      `update outgoing_mails set due_at = clock_timestamp() + $1 * interval '1 second'`,
      [inSeconds],
    );
  }
}
