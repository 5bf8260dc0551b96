import type { Logger } from '../log/index.ts';
import type { Attachment, MailContent, ReadAttachment } from './mailer.ts';

/** The maximum size of an attachment; many servers refuse ten megabytes. */
export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024;
/** Attempts that require the file. After them the mail is sent without it, because its text matters more. */
const ATTEMPTS_WITH_FILE = 3;

/**
 * Reads the file that a mail refers to. Throws if it cannot be read now, so that the mail is retried; undefined if
 * there is none, it is too large, or it could not be read several times.
 */
export async function loadAttachment(
  { readAttachment, log }: { readAttachment: ReadAttachment; log: Logger },
  mail: { id: string; kind: string; attempts: number },
  { attachment: reference }: MailContent,
  cutOff: AbortSignal,
  limitMs: number,
): Promise<Attachment | undefined> {
  if (reference === undefined) {
    return undefined;
  }
  const signal = AbortSignal.any([cutOff, AbortSignal.timeout(limitMs)]);
  const fields = { mail_id: mail.id, kind: mail.kind };
  try {
    const file = await Promise.race([readAttachment(reference), rejectOnAbort(signal)]);
    if (file === undefined || file.content.length > MAX_ATTACHMENT_BYTES) {
      log.warn({ ...fields, bytes: file?.content.length }, 'sent a mail without its attachment');
      return undefined;
    }
    return file;
  } catch (error) {
    if (cutOff.aborted || mail.attempts < ATTEMPTS_WITH_FILE) {
      throw error;
    }
    log.error({ ...fields, err: error }, 'sent a mail without its attachment, which could not be read');
    return undefined;
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) {
      reject(signal.reason);
    }
  });
}
