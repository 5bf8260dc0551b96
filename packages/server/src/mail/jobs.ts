import { ASLEEP_MS, type Job } from '../jobs/index.ts';
import { deleteForgottenMailCounts, deleteForgottenMails, mailsAreDue } from './queries.ts';
import { type MailSending, sendDueMail } from './send-due-mails.ts';

/** The background jobs of mail: send due mails, and delete those that could not be sent. */
export function mailJobs(sending: MailSending): Job[] {
  return [
    ...PLACES.map((place) => ({
      name: `mail.send-due-${place}`,
      everyMs: ASLEEP_MS,
      due: { check: mailsAreDue },
      run: (stopping = NEVER) => sendDueMail(sending, stopping),
    })),
    {
      name: 'mail.delete-forgotten',
      everyMs: 60_000,
      run: async () => {
        const deleted = [
          await deleteForgottenMails(sending.database, { limit: PORTION }),
          await deleteForgottenMailCounts(sending.database, { limit: PORTION }),
        ];
        return deleted.includes(PORTION);
      },
    },
  ];
}

/** Each sends one mail at a time, independently of the others, so that a hanging one blocks only one slot. */
const PLACES = [1, 2, 3, 4];
const PORTION = 1_000;
const NEVER = new AbortController().signal;
