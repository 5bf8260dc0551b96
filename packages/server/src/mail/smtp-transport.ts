import { createTransport } from 'nodemailer';
import type { Config } from '../config/index.ts';
import { MailNotSent, type MailTransport, NOTHING_FETCHED } from './transport.ts';

/** Where the SMTP server is, as the setting says. */
export type SmtpServer = NonNullable<Config['smtpServer']>;

/** How long each step may take, in milliseconds. The caller bounds the whole. */
export interface SmtpTimeouts {
  connectMs: number;
  greetingMs: number;
  /** Silence in the middle of a conversation. */
  silenceMs: number;
}

/**
 * Hands mails to an SMTP server. Each mail has a connection of its own: a pool keeps idle ones, which servers drop, and
 * repeats by itself what a row and its claim are there for. Certificates are always checked.
 */
export function createSmtpTransport(server: SmtpServer, timeouts: SmtpTimeouts = TIMEOUTS): MailTransport {
  const { user, password } = server;
  const hasPassword = user !== undefined && password !== undefined;
  const transporter = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    auth: hasPassword ? { user, pass: password } : undefined,
    // STARTTLS is used if the server offers it, and an error in it is a failure. An attacker who strips the offer on
    // the way would still get a mail, but must not get a password.
    requireTLS: !server.secure && hasPassword && !isLoopback(server.host),
    // Said aloud, so that no variable of the environment turns it off.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.silenceMs,
    socketCloseTimeout: 500,
    maxResponseSize: 65_536,
    ...NOTHING_FETCHED,
  });
  return {
    async send({ options }, signal) {
      await transporter.sendMail({ ...options, signal }).catch((error: unknown) => {
        throw translateRefusal(error);
      });
      return {};
    },
    close: () => transporter.close(),
  };
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 30_000, silenceMs: 45_000 };

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** What nodemailer says of a failure, as far as it is needed here. */
function translateRefusal(error: unknown): MailNotSent {
  if (!(error instanceof Error)) {
    return new MailNotSent(String(error), 'unknown', false);
  }
  const code = 'code' in error ? String(error.code) : error.name;
  const status = 'responseCode' in error ? Number(error.responseCode) : undefined;
  const command = 'command' in error ? String(error.command) : '';
  const response = 'response' in error ? String(error.response) : '';
  // A server quotes what it refuses. Once it has the mail, only its numbers are kept, of what it said at all.
  const message =
    response === '' || BEFORE_THE_MAIL.test(command)
      ? error.message
      : error.message.replace(response, () => numbersOf(response));
  const reason = status === undefined ? code : `${code} ${status}`;
  return new MailNotSent(message, reason, command === 'RCPT TO' && isForGood(status, response));
}

/** The commands that a server answers when it knows only the two addresses of the mail. */
const BEFORE_THE_MAIL = /^(?:EHLO|HELO|STARTTLS|MAIL FROM|RCPT TO)$/;

/** The status of RFC 5321 and the one of RFC 3463. */
function numbersOf(response: string): string {
  return /^\d{3}(?:[ -][245]\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? 'an answer';
}

/**
 * A 5xx reply of RFC 5321 is permanent. Not for us are those that speak of ourselves: 503 and 530 of the conversation,
 * and the class X.7 of RFC 3463 of a policy ("relaying denied"), which the operator fixes while the mail waits.
 */
function isForGood(status: number | undefined, response: string): boolean {
  const isPermanent = status !== undefined && status >= 500 && status <= 599;
  return isPermanent && status !== 503 && status !== 530 && !/^5\d\d[ -]5\.7\./.test(response);
}
