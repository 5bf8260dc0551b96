import type { Config } from '../config/index.ts';
import { type MailBrand, renderHtml } from './mail-html.ts';
import type { Attachment, MailContent, MailRow } from './mailer.ts';
import { MailNotSent, type OutgoingMessage } from './transport.ts';

/** The configured sender of mails. */
export type MailAddress = Config['mailFrom'];

/** A queued mail, with the settings common to all mails of an environment. */
export interface MailToCompose {
  id: string;
  recipient: string;
  content: MailContent;
  /** The file that the content refers to; undefined if it could not be read. */
  attachment?: Attachment | undefined;
  queuedAt: Date;
  from: MailAddress;
  brand: MailBrand;
  /** Shown in the subject and below the text, so that a mail of the sandbox is not mistaken for a real one. */
  isSandbox: boolean;
}

/**
 * Creates a mail as text and as HTML. Subjects and sentences contain names chosen by users: characters that could begin
 * a new line or header, or change the text direction, become spaces.
 */
export function composeMail(mail: MailToCompose): OutgoingMessage {
  if (!ONE_ADDRESS.test(mail.recipient)) {
    throw new MailNotSent('the recipient is not one address', 'recipient', true);
  }
  const content = cleanContent(mail.content, mail.isSandbox, mail.attachment !== undefined);
  const notes = mail.isSandbox ? [SANDBOX_NOTE] : [];
  const text = renderText(content, mail.brand, notes);
  return {
    id: mail.id,
    queuedAt: mail.queuedAt,
    options: {
      from: mail.from,
      to: { name: '', address: mail.recipient },
      subject: content.subject,
      // CRLF, because quoted-printable does not treat other line ends as breaks, and may wrap in the middle of a code.
      text: text.replaceAll('\n', '\r\n'),
      html: renderHtml(content, mail.brand, notes),
      // Plain ASCII is not encoded, so that a code is complete on its line in a file. Without this setting, other text
      // might become base64.
      textEncoding: isPlain(text) ? undefined : 'quoted-printable',
      messageId: messageIdOf(mail.id, mail.from),
      date: mail.queuedAt,
      // RFC 3834 §5: autoresponders do not answer such a mail.
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(mail.attachment === undefined ? {} : { attachments: [mail.attachment] }),
      xMailer: false,
    },
  };
}

/** Addresses are validated at registration; here it is enough that one cannot be read as two, or as a header. */
const ONE_ADDRESS = /^[^\s\p{Cc}"(),:;<>@[\\\]]+@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u;

/** The same for every attempt, so that a mail that arrives twice after a crash is recognized as a duplicate. */
export function messageIdOf(id: string, from: MailAddress): string {
  return `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
}

function cleanContent(
  { subject, paragraphs, table, code, codeNote, link, closing, attachment }: MailContent,
  isSandbox: boolean,
  hasFile: boolean,
): MailContent {
  const fileNotes = attachment === undefined ? [] : [hasFile ? ATTACHED[attachment.kind] : MISSING[attachment.kind]];
  const closings = [...fileNotes, ...(closing === undefined ? [] : [closing])];
  return {
    subject: (isSandbox ? '[sandbox] ' : '') + toOneLine(subject).slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed(),
    paragraphs: paragraphs.map(toOneLine),
    ...(table === undefined ? {} : { table: table.map(cleanRow) }),
    ...(code === undefined ? {} : { code: toOneLine(code) }),
    ...(codeNote === undefined ? {} : { codeNote: toOneLine(codeNote) }),
    ...(closings.length === 0 ? {} : { closing: toOneLine(closings.join(' ')) }),
    ...(link === undefined ? {} : { link: { label: toOneLine(link.label), url: toOneLine(link.url) } }),
  };
}

function cleanRow({ label, note, value, isTotal = false }: MailRow): MailRow {
  return {
    label: toOneLine(label),
    ...(note === undefined ? {} : { note: toOneLine(note) }),
    value: toOneLine(value),
    isTotal,
  };
}

const ATTACHED = { invoice: 'The invoice is attached as a PDF.' };
const MISSING = { invoice: 'We could not attach the invoice to this email.' };
const SANDBOX_NOTE = 'This email is from the sandbox, where nothing is real and no money moves.';
const MAX_SUBJECT_CHARACTERS = 200;
const MAX_LINE_CHARACTERS = 72;

/** Control characters, line and paragraph separators, and marks that reorder surrounding text. */
function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

function renderText(
  { paragraphs, table = [], code, codeNote, link, closing }: MailContent,
  brand: MailBrand,
  notes: readonly string[],
): string {
  const codeBlock = code === undefined ? [] : [code];
  const linkBlock = link === undefined ? [] : [`${link.label}:\n${link.url}`];
  const support = brand.supportEmail === '' ? [] : [`Questions? Contact ${brand.supportEmail}.`];
  const blocks = [
    ...paragraphs.map(wrap),
    ...(table.length === 0 ? [] : [table.map(renderRow).join('\n')]),
    ...(codeNote === undefined ? [...codeBlock, ...linkBlock] : [...linkBlock, wrap(codeNote), ...codeBlock]),
    ...(closing === undefined ? [] : [wrap(closing)]),
    [...[...notes, ...support].map(wrap), brand.name].join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderRow({ label, note, value }: MailRow): string {
  const line = `${label}: ${value}`;
  // A value that does not fit gets its own line, so that it is not broken.
  const row = line.length <= MAX_LINE_CHARACTERS ? line : `${wrap(`${label}:`)}\n  ${value}`;
  return note === undefined ? row : `${row}\n  ${wrap(note).replaceAll('\n', '\n  ')}`;
}

function wrap(paragraph: string): string {
  return paragraph.replace(/(?=.{73})(.{1,72}) /gu, '$1\n');
}

/** nodemailer encodes any text with a line of more than 76 characters. */
function isPlain(text: string): boolean {
  return /^(?:[\x20-\x7e]{0,76}\n)*$/.test(text);
}
