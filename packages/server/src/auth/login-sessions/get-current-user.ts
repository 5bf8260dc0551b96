import { Batcher } from '../../batching/index.ts';
import { DatabaseUnavailable, type Queries } from '../../database/index.ts';
import { httpError, type Principal } from '../../http/index.ts';
import type { User } from '../../users/index.ts';
import { type CurrentUserRow, findCurrentUsers } from './queries.ts';

type Who = Pick<Principal, 'userId' | 'organizationId'>;

/** Makes the function that answers who is asking. What many ask at the same time goes as one statement. */
export function createCurrentUserReader(database: Queries): (who: Who) => Promise<User> {
  const questions = new Batcher<Who, CurrentUserRow | undefined>({
    run: (_key, whos) => lookUp(database, whos),
    identityOf: ({ userId, organizationId }) => `${userId} ${organizationId}`,
    maxBatch: 256,
    maxWaiting: 10_000,
    overflow: () => new DatabaseUnavailable('too many requests wait for their user'),
    isolates: (error) => !(error instanceof DatabaseUnavailable),
  });
  return async (who) => {
    const row = await questions.submit('', who);
    if (row === undefined) {
      // The token was good a moment ago; the user left the organization since.
      throw httpError('invalid_token', 'The user of this token is no member of the organization any more.');
    }
    return presentUser(row);
  };
}

async function lookUp(database: Queries, whos: readonly Who[]): Promise<ReadonlyArray<CurrentUserRow | undefined>> {
  const rows = await findCurrentUsers(
    database,
    whos.map((who) => who.userId),
    whos.map((who) => who.organizationId),
  );
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return whos.map((_who, index) => byPosition.get(index + 1));
}

function presentUser(row: CurrentUserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    avatar_url: row.avatar_url,
    created_at: row.created_at.toISOString(),
    organization: { id: row.organization_id, name: row.organization_name, role: row.role },
  };
}
