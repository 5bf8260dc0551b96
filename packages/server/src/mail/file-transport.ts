import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../clock/index.ts';
import { type MailTransport, NOTHING_FETCHED } from './transport.ts';

/**
 * Writes each mail to a separate file, as it would have been sent (RFC 5322), for installations without an SMTP server.
 * Mails contain secrets, so only the service's own user may read the folder and the files.
 */
export function createFileTransport(folder: string): MailTransport {
  let composer: ReturnType<typeof createComposer> | undefined;
  return {
    async send({ id, queuedAt, options }) {
      composer ??= createComposer();
      const { message } = await (await composer).sendMail(options);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Uses the mail's own time, so that a mail written twice is one file.
      const file = join(folder, `${isoTime(queuedAt.getTime()).replaceAll(':', '-')}-${id}.eml`);
      const draft = `${file}.${randomUUID()}`;
      try {
        await writeFile(draft, message, { mode: 0o600, flag: 'wx', flush: true });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      return { file };
    },
    close: () => undefined,
  };
}

/** Loaded with the first mail, because the library takes megabytes of memory. */
async function createComposer() {
  const { createTransport } = await import('nodemailer');
  return createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...NOTHING_FETCHED });
}
