import type { Config } from '../config/index.ts';
import { renderHtml } from './mail-html.ts';
import type { Attachment, MailContent } from './mailer.ts';
import { MailNotSent, type OutgoingMessage } from './transport.ts';

/** Whom mails come from, as the setting says. */
export type MailAddress = Config['mailFrom'];

/** A queued mail, and what is the same for all mails of an environment. */
export interface MailToCompose {
  id: string;
  recipient: string;
  content: MailContent;
  /** The file that the content refers to; undefined when it could not be read. */
  attachment?: Attachment | undefined;
  queuedAt: Date;
  from: MailAddress;
  /** Put before every subject, so that nobody takes a mail of the sandbox for a real one. */
  subjectPrefix: string;
}

/**
 * Makes a mail as text and as HTML. Names that people chose for themselves stand in subjects and sentences: whatever could
 * begin a new line or header there, or turn the direction of the text around, is a space.
 */
export function composeMail(mail: MailToCompose): OutgoingMessage {
  if (!ONE_ADDRESS.test(mail.recipient)) {
    throw new MailNotSent('the recipient is not one address', 'recipient', true);
  }
  const content = cleanContent(mail.content, mail.subjectPrefix, mail.attachment !== undefined);
  const text = renderText(content);
  return {
    id: mail.id,
    queuedAt: mail.queuedAt,
    options: {
      from: mail.from,
      to: { name: '', address: mail.recipient },
      subject: content.subject,
      text,
      html: renderHtml(content),
      // Plain ASCII goes as it is: in a file a code then stands whole on its line. Chosen freely, the rest might be base64.
      textEncoding: isPlain(text) ? undefined : 'quoted-printable',
      messageId: messageIdOf(mail.id, mail.from),
      date: mail.queuedAt,
      // RFC 3834 §5: no vacation notice answers a mail that says so.
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(mail.attachment === undefined ? {} : { attachments: [mail.attachment] }),
      xMailer: false,
    },
  };
}

/** Whoever registers an address checks it well; here it is enough that it cannot be read as two, or as a header. */
const ONE_ADDRESS = /^[^\s\p{Cc}"(),:;<>@[\\\]]+@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u;

/** The same for every attempt, so that a mail that arrives twice after a crash can be told from two mails. */
export function messageIdOf(id: string, from: MailAddress): string {
  return `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
}

function cleanContent(
  { subject, paragraphs, code, link, attachment }: MailContent,
  prefix: string,
  hasFile: boolean,
): MailContent {
  const missing = attachment === undefined || hasFile ? [] : [MISSING];
  return {
    subject: prefix + toOneLine(subject).slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed(),
    paragraphs: [...paragraphs.map(toOneLine), ...missing],
    ...(code === undefined ? {} : { code: toOneLine(code) }),
    ...(link === undefined ? {} : { link: { label: toOneLine(link.label), url: toOneLine(link.url) } }),
  };
}

const MISSING = 'The attachment could not be added to this mail.';
const MAX_SUBJECT_CHARACTERS = 200;

/** Control characters, line and paragraph separators, and the marks that reorder what stands around them. */
function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

function renderText({ paragraphs, code, link }: MailContent): string {
  const blocks = [
    ...paragraphs.map(wrap),
    ...(code === undefined ? [] : [code]),
    ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function wrap(paragraph: string): string {
  return paragraph.replace(/(?=.{73})(.{1,72}) /gu, '$1\n');
}

/** Within the 76 characters of a line after which nodemailer encodes a text whatever stands in it. */
function isPlain(text: string): boolean {
  return /^(?:[\x20-\x7e]{0,76}\n)*$/.test(text);
}
