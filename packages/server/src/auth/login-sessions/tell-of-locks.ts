import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { findFirstMembership } from '../../organizations/index.ts';
import { type LockedUser, takeLocksToTell } from '../../users/index.ts';
import type { AuthDeps } from '../auth-tools.ts';

type LockTools = Pick<AuthDeps, 'database' | 'mailer' | 'authUrl'>;

/**
 * Mails users whose account was locked, each lock once. A job does it and not the request that locked the account, which
 * would otherwise take longer for an address that exists.
 */
export function lockJob(tools: LockTools): Job {
  return { name: 'auth.tell-of-locks', everyMs: 2_000, run: () => tellOfLocks(tools) };
}

async function tellOfLocks(tools: LockTools): Promise<boolean> {
  return tools.database.transaction(async (tx) => {
    const users = await takeLocksToTell(tx, PORTION);
    for (const user of users) {
      await queueLockMail(tx, tools, user);
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
        `Hello ${user.name},`,
        `after ten wrong passwords or codes in a row nobody can log in to your account until ${user.locked_until.toISOString()}. Who is logged in stays so.`,
        'If this was not you, somebody is guessing at your password. It is enough to wait; or set a new password, which lifts the lock.',
      ],
      link: { label: 'Set a new password', url: `${authUrl}/reset-password` },
    },
  });
}

async function recordLockAudit(tx: Queries, user: LockedUser): Promise<void> {
  const membership = await findFirstMembership(tx, user.id);
  if (membership === undefined) {
    return;
  }
  await recordAudit(tx, serviceIn(membership.organization_id), {
    action: 'account.locked',
    targetType: 'user',
    targetId: user.id,
    after: { locked_until: user.locked_until.toISOString() },
  });
}

/** The service itself: whoever guessed is not known by now. */
function serviceIn(organizationId: string): AuditActor {
  const nobody = { userId: null, credentialId: null, requestId: null, clientAddress: null };
  return { organizationId, credentialKind: 'none', ...nobody };
}
