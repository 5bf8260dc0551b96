import { Batcher } from '../../batching/index.ts';
import { DatabaseUnavailable, type Queries } from '../../database/index.ts';
import { ACCESS, type AuthorizedContext, httpError } from '../../http/index.ts';
import { avatarUrlOf, type User } from '../../users/index.ts';
import { type CurrentUserRow, listCurrentUsers } from './current-user-queries.ts';

interface Question {
  organizationId: string;
  userId: string;
  /** The token, if the statement has to check it, as for heartbeats. */
  uncheckedTokenHash: Buffer | null;
}

/**
 * Creates the use case that returns the user of the request. Concurrent requests share one statement, which checks their
 * tokens as well: one round trip.
 */
export function createCurrentUserReader(
  database: Queries,
  baseUrl: string,
): (context: AuthorizedContext) => Promise<User> {
  const questions = new Batcher<Question, User | undefined>({
    run: (_key, asked) => lookUp(database, baseUrl, asked),
    identityOf: ({ userId, organizationId, uncheckedTokenHash: hash }) =>
      `${organizationId} ${hash === null ? userId : hash.toString('latin1')}`,
    maxBatch: 256,
    maxWaiting: 10_000,
    overflow: () => new DatabaseUnavailable('too many requests are waiting for their user'),
    isolates: (error) => !(error instanceof DatabaseUnavailable),
  });
  return async ({ principal: { organizationId, userId }, token }) => {
    let user = await questions.submit('', { organizationId, userId, uncheckedTokenHash: token?.hash ?? null });
    if (user === undefined && token !== undefined) {
      const confirmed = await token.confirm();
      user = await questions.submit('', {
        organizationId: confirmed.organizationId,
        userId: confirmed.userId,
        uncheckedTokenHash: null,
      });
    }
    if (user === undefined) {
      // The token was valid a moment ago; the user has left the organization since.
      throw httpError('invalid_token', 'The user of this token is no longer a member of the organization.');
    }
    return user;
  };
}

/**
 * A user in one organization, as seen by the transaction that has just changed them; undefined if they are not a
 * member.
 */
export async function findCurrentUser(
  tx: Queries,
  { organizationId, userId }: { organizationId: string; userId: string },
  baseUrl: string,
): Promise<User | undefined> {
  const [user] = await lookUp(tx, baseUrl, [{ organizationId, userId, uncheckedTokenHash: null }]);
  return user;
}

async function lookUp(
  database: Queries,
  baseUrl: string,
  questions: readonly Question[],
): Promise<ReadonlyArray<User | undefined>> {
  const asked = questions.map(({ organizationId, userId, uncheckedTokenHash: hash }, position) => ({
    position,
    organization_id: organizationId,
    user_id: hash === null ? userId : null,
    token_hash: hash,
  }));
  const rows = await listCurrentUsers(database, { asked, scope: ACCESS.readProfile.scope });
  const byPosition = new Map(rows.map((row) => [row.position, presentUser(row, baseUrl)]));
  return questions.map((_question, position) => byPosition.get(position));
}

function presentUser(row: CurrentUserRow, baseUrl: string): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    avatar_url: avatarUrlOf(baseUrl, row.avatar_url),
    created_at: row.created_at.toISOString(),
    email_verified: row.email_verified,
    two_factor_enabled: row.two_factor_enabled,
    organization: { id: row.organization_id, name: row.organization_name, role: row.role },
    staff: row.staff_role === null ? null : { role: row.staff_role },
  };
}
