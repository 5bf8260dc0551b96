import type { Queries } from '../../database/index.ts';
import { type Mail, type Mailer, namedInMail } from '../../mail/index.ts';
import {
  type DueTokenRow,
  EXPIRY_WARNINGS,
  listTokensToRotate,
  type MarkedTokenRow,
  updateRotationRecommended,
} from './reminder-queries.ts';

/**
 * Mails the owners of tokens that expire within 7 days, and again within one; returns whether there may be more. A token
 * that reached its last day while nobody looked is past the first mail and gets only the second.
 */
export async function warnOfExpiringTokens(database: Queries, mailer: Mailer): Promise<boolean> {
  const hasMore: boolean[] = [];
  for (const { days, listDue, updateWarned } of EXPIRY_WARNINGS) {
    const due = await listDue(database, { limit: PORTION });
    await mailEachOwner(database, mailer, due, async (tx, token) => {
      const marked = await updateWarned(tx, { organizationId: token.organization_id, id: token.id });
      return marked === undefined ? undefined : { ...marked, mail: expiryMail(days, marked) };
    });
    hasMore.push(due.length >= PORTION);
  }
  return hasMore.includes(true);
}

/**
 * Recommends once to rotate a token that is 90 days old; returns whether there may be more. Not when it expires within
 * 7 days or has expired: its owner gets other mails about that.
 */
export async function recommendRotation(database: Queries, mailer: Mailer): Promise<boolean> {
  const due = await listTokensToRotate(database, { limit: PORTION });
  await mailEachOwner(database, mailer, due, async (tx, token) => {
    const marked = await updateRotationRecommended(tx, { organizationId: token.organization_id, id: token.id });
    return marked === undefined || marked.ends_soon ? undefined : { ...marked, mail: rotationMail(marked) };
  });
  return due.length >= PORTION;
}

const PORTION = 100;

type Unaddressed = Omit<Mail, 'recipient'>;

/** Marks each token and queues its mail in one transaction: one mail, however many processes look. */
async function mailEachOwner(
  database: Queries,
  mailer: Mailer,
  due: readonly DueTokenRow[],
  mark: (tx: Queries, token: DueTokenRow) => Promise<{ email: string | null; mail: Unaddressed } | undefined>,
): Promise<void> {
  for (const token of due) {
    await database.transaction(async (tx) => {
      const marked = await mark(tx, token);
      if (marked !== undefined && marked.email !== null) {
        await mailer.queue(tx, { ...marked.mail, recipient: marked.email });
      }
    });
  }
}

function expiryMail(days: 7 | 1, token: MarkedTokenRow & { expires_at: Date }): Unaddressed {
  return {
    kind: 'api-token-expiring',
    content: {
      subject: `Your API token "${namedInMail(token.name)}" expires within ${days === 7 ? '7 days' : '1 day'}`,
      paragraphs: [
        `${describe(token)} expires on ${token.expires_at.toISOString()}. Requests that use it after that will be rejected.`,
        `To avoid an interruption, ${HOW_TO_ROTATE}`,
      ],
    },
  };
}

function rotationMail(token: MarkedTokenRow): Unaddressed {
  return {
    kind: 'api-token-old',
    content: {
      subject: `Your API token "${namedInMail(token.name)}" is 90 days old`,
      paragraphs: [
        `${describe(token)} is 90 days old. We recommend that you rotate API tokens every 90 days.`,
        `To do so, ${HOW_TO_ROTATE}`,
      ],
    },
  };
}

function describe({ name, prefix, organization_name: organization }: MarkedTokenRow): string {
  return `Your API token "${namedInMail(name)}" (${prefix}…) in the organization ${namedInMail(organization)}`;
}

const HOW_TO_ROTATE =
  'rotate it under API keys in your account settings, or with POST /v1/api-tokens/{id}/rotate. You get a new token, and the old one keeps working for one day.';
