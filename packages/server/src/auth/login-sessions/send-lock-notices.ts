import type { Queries } from '../../database/index.ts';
import { ASLEEP_MS, type Job } from '../../jobs/index.ts';
import type { Mailer } from '../../mail/index.ts';
import { claimLockNotices, type LockedUser, lockNoticesWait } from '../../users/index.ts';
import { NOBODY, recordAccountAudit } from '../record-account-audit.ts';

interface LockTools {
  database: Queries;
  mailer: Mailer;
  baseUrl: string;
}

/**
 * Mails users whose account is locked, once per lock. This is a job because the request that locked the account would
 * otherwise take longer for an existing address.
 */
export function sendLockNoticesJob(tools: LockTools): Job {
  return {
    name: 'auth.send-lock-notices',
    everyMs: ASLEEP_MS,
    due: { check: lockNoticesWait },
    run: () => sendLockNotices(tools),
  };
}

async function sendLockNotices(tools: LockTools): Promise<boolean> {
  return tools.database.transaction(async (tx) => {
    const users = await claimLockNotices(tx, { limit: PORTION });
    for (const user of users) {
      // After an outage, a lock may already have expired: it is then only recorded, without a mail.
      if (!user.is_over) {
        await queueLockMail(tx, tools, user);
      }
      await recordLockAudit(tx, user);
    }
    return users.length === PORTION;
  });
}

const PORTION = 100;

async function queueLockMail(tx: Queries, { mailer, baseUrl }: LockTools, user: LockedUser): Promise<void> {
  await mailer.queue(tx, {
    kind: 'account-locked',
    recipient: user.email,
    content: {
      subject: 'Your account is locked for 15 minutes',
      paragraphs: [
        'Hello,',
        `An incorrect password or code was entered ten times in a row, so no one can log in to your account until ${user.locked_until.toISOString()}. Existing sessions are not affected.`,
        'If this was not you, someone may be guessing your password. You can wait until the lock expires, or set a new password to unlock your account now.',
      ],
      link: { label: 'Set a new password', url: `${baseUrl}/forgot-password` },
    },
  });
}

/** Who guessed is unknown. */
async function recordLockAudit(tx: Queries, user: LockedUser): Promise<void> {
  await recordAccountAudit(tx, user.id, NOBODY, {
    action: 'account.locked',
    targetType: 'user',
    targetId: user.id,
    after: { locked_until: user.locked_until.toISOString() },
  });
}
