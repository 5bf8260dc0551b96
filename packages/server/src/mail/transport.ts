import type { SendMailOptions } from 'nodemailer';

/** A mail to send. Composed twice from the same row, it is identical, including Message-ID and date. */
export interface OutgoingMessage {
  id: string;
  queuedAt: Date;
  options: SendMailOptions;
}

/** The destination of mails: an SMTP server or files. */
export interface MailTransport {
  /** Sends one mail; returns the file that it was written to, if any. Throws if it is not certain that it arrived. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<{ file?: string }>;
  close(): void;
}

/** Nothing in a mail is ever fetched: a `path` or `href` is refused. */
export const NOTHING_FETCHED = { disableFileAccess: true, disableUrlAccess: true } as const;

/** A mail was not sent. The message is the server's text; `reason` is a short one that is safe to log. */
export class MailNotSent extends Error {
  readonly reason: string;
  /** Whether the server permanently refused the recipient. */
  readonly isFinal: boolean;

  constructor(message: string, reason: string, isFinal: boolean) {
    super(message);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}
