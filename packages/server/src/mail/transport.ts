import type { SendMailOptions } from 'nodemailer';

/** A mail as it is handed over. Made twice of the same row, it is the same mail: Message-ID, date and all. */
export interface OutgoingMessage {
  id: string;
  queuedAt: Date;
  options: SendMailOptions;
}

/** Where mails go: to an SMTP server, or into files. */
export interface MailTransport {
  /** Hands one mail over; returns the file that it went into, if any. Throws when it is not certain that it arrived. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<{ file?: string }>;
  close(): void;
}

/** Nothing in a mail is ever fetched: a `path` or `href` that found its way into one is refused. */
export const NOTHING_FETCHED = { disableFileAccess: true, disableUrlAccess: true } as const;

/** A mail was not handed over. The message says it in the words of the server, `reason` in a few that are safe to log. */
export class MailNotSent extends Error {
  readonly reason: string;
  /** Whether the server said that there is no such recipient, now and in future. */
  readonly isFinal: boolean;

  constructor(message: string, reason: string, isFinal: boolean) {
    super(message);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}
