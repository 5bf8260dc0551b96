import { defineEncryptedColumn, type EncryptedColumn, type Queries } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import type { MasterKey } from '../security/index.ts';
import { insertCountedMail, insertMail } from './queries.ts';

/** What a mail says; how it looks, as text and as HTML, is made of it when it is sent. */
export interface MailContent {
  subject: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: readonly string[];
  /** Amounts or details, below the paragraphs: a table in HTML. */
  table?: readonly MailRow[];
  /** A secret or code that stands on a line of its own, to be copied. */
  code?: string;
  /** Says when to use the code, which is then an alternative below the button. */
  codeNote?: string;
  /**
   * The button. Its address holds no secret, since addresses are logged on the way, except for the code that verifies an email
   * address: all that can be done with it is to verify that address.
   */
  link?: { label: string; url: string };
  /** Shown last, below the table, the button and the code: for example what to do when the mail was not expected. */
  closing?: string;
  /** A file that goes with it. The row keeps only what names it; it is read when the mail is sent. */
  attachment?: AttachmentReference;
}

/** One row of a mail's table. */
export interface MailRow {
  label: string;
  /** Smaller, below the label. */
  note?: string;
  value: string;
  /** A sum of what stands above it. */
  isTotal?: boolean;
}

/** Names a file of an organization; `kind` says whose business it is to read it. */
export interface AttachmentReference {
  kind: 'invoice';
  organization_id: string;
  id: string;
}

/** A file that goes with a mail. */
export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** Reads the file that a mail refers to; undefined when it is gone. */
export type ReadAttachment = (reference: AttachmentReference) => Promise<Attachment | undefined>;

/** A mail about to be queued. `kind` names what it is for, for the log and the metrics. */
export interface Mail {
  kind: string;
  recipient: string;
  content: MailContent;
}

/** Queues mails in the transaction of what they tell; a job sends them. */
export class Mailer {
  readonly #masterKey: MasterKey;

  constructor(masterKey: MasterKey) {
    this.#masterKey = masterKey;
  }

  /**
   * Writes a mail into the outbox. It is encrypted there, since it may hold a secret that only its reader should have.
   * Returns false, and writes nothing, when the recipient had ten of this kind within the hour: nobody can make the service
   * fill a stranger's mailbox.
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

  /** Reads a queued mail's content. Throws when it was changed, or written under another master key. */
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
 * The first two have stricter caps, since a user waits for the code; of the others there is one for each token or
 * payment.
 */
const CAPPED_ELSEWHERE: ReadonlySet<string> = new Set([
  'reset-password',
  'invitation',
  'api-token-expiring',
  'api-token-old',
  'late-payment-finance',
]);
