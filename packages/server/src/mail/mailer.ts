import { defineEncryptedColumn, type EncryptedColumn, type Queries } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import type { MasterKey } from '../security/index.ts';
import { insertCountedMail, insertMail } from './queries.ts';

/** The content of a mail; text and HTML are rendered from it when it is sent. */
export interface MailContent {
  subject: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: readonly string[];
  /** Amounts or details, below the paragraphs: a table in HTML. */
  table?: readonly MailRow[];
  /** A secret or code on its own line, to be copied. */
  code?: string;
  /** Says when to use the code, which is then an alternative below the button. */
  codeNote?: string;
  /**
   * The button. Its URL contains no secret, because URLs are logged, except for the code that verifies an email
   * address: it can only be used to verify that address.
   */
  link?: { label: string; url: string };
  /** Shown last, below the table, the button and the code: for example what to do if the mail was not expected. */
  closing?: string;
  /** An attached file. The row stores only a reference; the file is read when the mail is sent. */
  attachment?: AttachmentReference;
}

/** One row of a mail's table. */
export interface MailRow {
  label: string;
  /** Smaller, below the label. */
  note?: string;
  value: string;
  /** A sum of the rows above it. */
  isTotal?: boolean;
}

/** Names a file of an organization; `kind` determines who reads it. */
export interface AttachmentReference {
  kind: 'invoice';
  organization_id: string;
  id: string;
}

/** A file attached to a mail. */
export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** Reads the file that a mail refers to; undefined if it is gone. */
export type ReadAttachment = (reference: AttachmentReference) => Promise<Attachment | undefined>;

/** A mail to queue. `kind` names its purpose, for the log and the metrics. */
export interface Mail {
  kind: string;
  recipient: string;
  content: MailContent;
}

/** Queues mails in the transaction of the change that they report; a job sends them. */
export class Mailer {
  readonly #masterKey: MasterKey;

  constructor(masterKey: MasterKey) {
    this.#masterKey = masterKey;
  }

  /**
   * Queues a mail, encrypted, because it may contain a secret for its reader only. Returns false, and writes nothing,
   * if the recipient got ten of this kind within the hour, so that no one can flood a stranger's mailbox.
   */
  async queue(tx: Queries, mail: Mail): Promise<boolean> {
    const id = newId('mail');
    const sealed = this.#masterKey.encrypt(PURPOSE, id, JSON.stringify(mail.content));
    const row = { id, recipient: mail.recipient, kind: mail.kind, content: sealed };
    if (CAPPED_ELSEWHERE.has(mail.kind)) {
      await insertMail(tx, row);
      return true;
    }
    return insertCountedMail(tx, { ...row, most: MOST_WITHIN_AN_HOUR });
  }

  /** Reads a queued mail's content. Throws if it was changed, or written under another master key. */
  decrypt(id: string, sealed: Buffer): MailContent {
    return JSON.parse(this.#masterKey.decrypt(PURPOSE, id, sealed));
  }
}

const PURPOSE = 'mail';

/** The encrypted columns of this foundation. */
export const MAIL_CIPHERTEXTS: readonly EncryptedColumn[] = [
  defineEncryptedColumn({
    table: 'outgoing_mails',
    column: 'content',
    key: [['id', 'text']],
    purpose: PURPOSE,
    contextOf: ([id]) => String(id),
  }),
];

const MOST_WITHIN_AN_HOUR = 10;

/**
 * The first two have stricter caps, because a user waits for the code; the others are sent once per token or payment.
 */
const CAPPED_ELSEWHERE: ReadonlySet<string> = new Set([
  'reset-password',
  'invitation',
  'api-token-expiring',
  'api-token-old',
  'late-payment-finance',
]);
