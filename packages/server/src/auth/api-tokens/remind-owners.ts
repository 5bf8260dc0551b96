import type { Queries } from '../../database/index.ts';
import { type Mail, type Mailer, namedInMail } from '../../mail/index.ts';
import {
  type DueTokenRow,
  type ExpiryNotice,
  listTokensToRotate,
  listTokensToWarn,
  type MarkedTokenRow,
  markAgeTold,
  markWarned,
} from './reminder-queries.ts';

/**
 * Mails the owners of tokens that expire within 7 days, and again within one; returns whether there may be more. A token
 * that reached its last day while nobody looked is past the first mail and gets only the second.
 */
export async function warnOfExpiringTokens(database: Queries, mailer: Mailer): Promise<boolean> {
  const hasMore: boolean[] = [];
  for (const notice of [7, 1] as const) {
    const due = await listTokensToWarn(database, notice, PORTION);
    await tellEach(database, mailer, due, async (tx, token) => {
      const marked = await markWarned(tx, notice, token);
      return marked === undefined ? undefined : { ...marked, mail: expiryMail(notice, marked) };
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
  const due = await listTokensToRotate(database, PORTION);
  await tellEach(database, mailer, due, async (tx, token) => {
    const marked = await markAgeTold(tx, token);
    return marked === undefined || marked.ends_soon ? undefined : { ...marked, mail: rotationMail(marked) };
  });
  return due.length >= PORTION;
}

const PORTION = 100;

type Unaddressed = Omit<Mail, 'recipient'>;

/** Marks each and queues its mail in one transaction: told once, however many processes look. */
async function tellEach(
  database: Queries,
  mailer: Mailer,
  due: readonly DueTokenRow[],
  mark: (tx: Queries, token: DueTokenRow) => Promise<{ email: string | null; mail: Unaddressed } | undefined>,
): Promise<void> {
  for (const token of due) {
    await database.transaction(async (tx) => {
      const told = await mark(tx, token);
      if (told !== undefined && told.email !== null) {
        await mailer.queue(tx, { ...told.mail, recipient: told.email });
      }
    });
  }
}

function expiryMail(notice: ExpiryNotice, token: MarkedTokenRow & { expires_at: Date }): Unaddressed {
  return {
    kind: 'api-token-expiring',
    content: {
      subject: `Your API token "${namedInMail(token.name)}" expires within ${notice === 7 ? '7 days' : '1 day'}`,
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
