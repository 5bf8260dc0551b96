import type { Job } from '../jobs/index.ts';
import { deleteForgottenMails } from './queries.ts';
import { type MailSending, sendDueMails } from './send-due-mails.ts';

/** What mail does in the background: send what is due, and forget what could not be sent. */
export function mailJobs(sending: MailSending): Job[] {
  return [
    {
      name: 'mail.send-due',
      everyMs: 1_000,
      run: (stopping = NEVER) => sendDueMails(sending, stopping),
    },
    {
      name: 'mail.delete-forgotten',
      everyMs: 60_000,
      run: async () => (await deleteForgottenMails(sending.database, PORTION)) === PORTION,
    },
  ];
}

const PORTION = 1_000;
const NEVER = new AbortController().signal;
