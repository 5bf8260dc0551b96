import type { Config } from '../config/index.ts';
import { MailNotSent, type MailTransport, NOTHING_FETCHED } from './transport.ts';

/** The configured SMTP server. */
export type SmtpServer = NonNullable<Config['smtpServer']>;

/** The time limit of each step, in milliseconds. The caller limits the total. */
export interface SmtpTimeouts {
  connectMs: number;
  greetingMs: number;
  /** Silence during a conversation. */
  silenceMs: number;
}

/**
 * Sends mails to an SMTP server. Each mail uses a new connection: a pool keeps idle ones, which servers drop, and
 * retries by itself, which is the purpose of the rows and claims. Certificates are always checked.
 */
export function createSmtpTransport(server: SmtpServer, timeouts: SmtpTimeouts = TIMEOUTS): MailTransport {
  let transporter: ReturnType<typeof createTransporter> | undefined;
  return {
    async send({ options }, signal) {
      transporter ??= createTransporter(server, timeouts);
      const opened = await transporter;
      await opened.sendMail({ ...options, signal }).catch((error: unknown) => {
        throw translateRefusal(error);
      });
      return {};
    },
    close: () => void transporter?.then((opened) => opened.close()),
  };
}

/** Loaded with the first mail, because the library takes megabytes of memory. */
async function createTransporter({ host, port, secure, user, password }: SmtpServer, timeouts: SmtpTimeouts) {
  const { createTransport } = await import('nodemailer');
  const hasPassword = user !== undefined && password !== undefined;
  return createTransport({
    host,
    port,
    secure,
    auth: hasPassword ? { user, pass: password } : undefined,
    // STARTTLS is used if the server offers it, and an error in it is a failure. An attacker who strips the offer could
    // still read a mail, but must not get a password.
    requireTLS: !secure && hasPassword && !isLoopback(host),
    // Explicit, so that no environment variable can turn it off.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    socketCloseTimeout: 500,
    maxResponseSize: 65_536,
    ...NOTHING_FETCHED,
  });
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 30_000, silenceMs: 45_000 };

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Translates a failure reported by nodemailer. */
function translateRefusal(error: unknown): MailNotSent {
  if (!(error instanceof Error)) {
    return new MailNotSent(String(error), 'unknown', false);
  }
  const code = 'code' in error ? String(error.code) : error.name;
  const status = 'responseCode' in error ? Number(error.responseCode) : undefined;
  const command = 'command' in error ? String(error.command) : '';
  const response = 'response' in error ? String(error.response) : '';
  // A server quotes what it refuses. After it has received the mail, only the numbers of its response are kept.
  const message =
    response === '' || BEFORE_THE_MAIL.test(command)
      ? error.message
      : error.message.replace(response, () => numbersOf(response));
  const reason = status === undefined ? code : `${code} ${status}`;
  return new MailNotSent(message, reason, command === 'RCPT TO' && isForGood(status, response));
}

/** The commands that a server answers when it only knows the two addresses of the mail. */
const BEFORE_THE_MAIL = /^(?:EHLO|HELO|STARTTLS|MAIL FROM|RCPT TO)$/;

/** The status of RFC 5321 and the one of RFC 3463. */
function numbersOf(response: string): string {
  return /^\d{3}(?:[ -][245]\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? 'an answer';
}

/**
 * A 5xx reply of RFC 5321 is permanent. Exceptions are replies about the sender: 503 and 530 about the conversation,
 * and the class X.7 of RFC 3463 about a policy ("relaying denied"), which the operator can fix while the mail waits.
 */
function isForGood(status: number | undefined, response: string): boolean {
  const isPermanent = status !== undefined && status >= 500 && status <= 599;
  return isPermanent && status !== 503 && status !== 530 && !/^5\d\d[ -]5\.7\./.test(response);
}
