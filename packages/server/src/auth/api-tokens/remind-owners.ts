import type { Queries } from '../../database/index.ts';
import { type Mail, type Mailer, namedInMail } from '../../mail/index.ts';
import { findMembership } from '../../organizations/index.ts';
import {
  type DueTokenRow,
  EXPIRY_WARNINGS,
  listTokensToRotate,
  type MarkedTokenRow,
  updateRotationRecommended,
} from './reminder-queries.ts';

/**
 * Mails the owners of tokens that expire within 7 days, and again within one; returns whether there may be more. A
 * token that reached its last day while the job did not run gets only the second mail.
 */
export async function warnOfExpiringTokens(database: Queries, mailer: Mailer): Promise<boolean> {
  const hasMore: boolean[] = [];
  for (const { days, listDue, updateWarned } of EXPIRY_WARNINGS) {
    const due = await listDue(database, { limit: PORTION });
    await mailEachOwner(database, mailer, due, async (tx, token) => {
      const marked = await updateWarned(tx, { organizationId: token.organization_id, id: token.id });
      return marked && { ownerId: marked.user_id, mailAbout: (organization) => expiryMail(days, marked, organization) };
    });
    hasMore.push(due.length >= PORTION);
  }
  return hasMore.includes(true);
}

/**
 * Recommends once to rotate a token that is 90 days old; returns whether there may be more. Skips tokens that have
 * expired or expire within 7 days: their owners get other mails.
 */
export async function recommendRotation(database: Queries, mailer: Mailer): Promise<boolean> {
  const due = await listTokensToRotate(database, { limit: PORTION });
  await mailEachOwner(database, mailer, due, async (tx, token) => {
    const marked = await updateRotationRecommended(tx, { organizationId: token.organization_id, id: token.id });
    return marked === undefined || marked.ends_soon
      ? undefined
      : { ownerId: marked.user_id, mailAbout: (organization) => rotationMail(marked, organization) };
  });
  return due.length >= PORTION;
}

const PORTION = 100;

type Unaddressed = Omit<Mail, 'recipient'>;

/** The mail to a token's owner, which names the organization. */
interface Reminder {
  ownerId: string;
  mailAbout(organization: string): Unaddressed;
}

/**
 * Marks each token and queues its mail in one transaction, so that only one process sends it. An owner who has left the
 * organization gets none.
 */
async function mailEachOwner(
  database: Queries,
  mailer: Mailer,
  due: readonly DueTokenRow[],
  mark: (tx: Queries, token: DueTokenRow) => Promise<Reminder | undefined>,
): Promise<void> {
  for (const token of due) {
    await database.transaction(async (tx) => {
      const reminder = await mark(tx, token);
      if (reminder === undefined) {
        return;
      }
      const owner = await findMembership(tx, { organizationId: token.organization_id, userId: reminder.ownerId });
      if (owner !== undefined) {
        await mailer.queue(tx, { ...reminder.mailAbout(owner.organization_name), recipient: owner.email });
      }
    });
  }
}

function expiryMail(days: 7 | 1, token: MarkedTokenRow & { expires_at: Date }, organization: string): Unaddressed {
  return {
    kind: 'api-token-expiring',
    content: {
      subject: `Your API token "${namedInMail(token.name)}" expires within ${days === 7 ? '7 days' : '1 day'}`,
      paragraphs: [
        `${describe(token, organization)} expires on ${token.expires_at.toISOString()}. After that, requests that use it will fail.`,
        `To avoid an interruption, ${HOW_TO_ROTATE}`,
      ],
    },
  };
}

function rotationMail(token: MarkedTokenRow, organization: string): Unaddressed {
  return {
    kind: 'api-token-old',
    content: {
      subject: `Your API token "${namedInMail(token.name)}" is 90 days old`,
      paragraphs: [
        `${describe(token, organization)} is 90 days old. We recommend rotating API tokens every 90 days.`,
        `To do so, ${HOW_TO_ROTATE}`,
      ],
    },
  };
}

function describe({ name, prefix }: MarkedTokenRow, organization: string): string {
  return `Your API token "${namedInMail(name)}" (${prefix}…) in the organization ${namedInMail(organization)}`;
}

const HOW_TO_ROTATE =
  'rotate it under API keys in your account settings, or with POST /v1/api-tokens/{id}/rotate. You will get a new token, and the old one will keep working for one day.';
