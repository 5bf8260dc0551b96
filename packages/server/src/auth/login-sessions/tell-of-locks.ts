import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { type LockedUser, takeLocksToTell } from '../../users/index.ts';
import type { AuthDeps } from '../auth-tools.ts';
import { NOBODY, recordAccountAudit } from '../record-account-audit.ts';

type LockTools = Pick<AuthDeps, 'database' | 'mailer' | 'authUrl'>;

/**
 * Mails users whose account is locked, each lock once. A job does it and not the request that locked the account, which
 * would otherwise take longer for an address that exists.
 */
export function lockJob(tools: LockTools): Job {
  return { name: 'auth.tell-of-locks', everyMs: 2_000, run: () => tellOfLocks(tools) };
}

async function tellOfLocks(tools: LockTools): Promise<boolean> {
  return tools.database.transaction(async (tx) => {
    const users = await takeLocksToTell(tx, PORTION);
    for (const user of users) {
      // After an outage a lock may be over by now: there is nothing any more to be told of, only to be noted.
      if (!user.is_over) {
        await queueLockMail(tx, tools, user);
      }
      await recordLockAudit(tx, user);
    }
    return users.length === PORTION;
  });
}

const PORTION = 100;

async function queueLockMail(tx: Queries, { mailer, authUrl }: LockTools, user: LockedUser): Promise<void> {
  await mailer.queue(tx, {
    kind: 'account-locked',
    recipient: user.email,
    content: {
      subject: 'Your account is locked for 15 minutes',
      paragraphs: [
        'Hello,',
        `after ten wrong passwords or codes in a row nobody can log in to your account until ${user.locked_until.toISOString()}. Who is logged in stays so.`,
        'If this was not you, somebody is guessing at your password. It is enough to wait; or set a new password, which lifts the lock.',
      ],
      link: { label: 'Set a new password', url: `${authUrl}/reset-password` },
    },
  });
}

/** Whoever guessed is not known by now. */
async function recordLockAudit(tx: Queries, user: LockedUser): Promise<void> {
  await recordAccountAudit(tx, user.id, NOBODY, {
    action: 'account.locked',
    targetType: 'user',
    targetId: user.id,
    after: { locked_until: user.locked_until.toISOString() },
  });
}
