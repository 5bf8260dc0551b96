import type { Queries, Statement } from '../database/index.ts';

/** The grant that a refresh token of an app belongs to. */
export interface LeakedGrantRow {
  id: string;
  user_id: string;
  organization_id: string;
}

/** The grant behind an app's refresh token, whether it lives or not; undefined when the token is unknown or forgotten. */
export async function findGrantOfRefreshToken(database: Queries, hash: Buffer): Promise<LeakedGrantRow | undefined> {
  return (await database.query(FIND_GRANT_OF_REFRESH_TOKEN, [hash]))[0];
}

const FIND_GRANT_OF_REFRESH_TOKEN: Statement<LeakedGrantRow> = {
  name: 'find_grant_of_refresh_token',
  text: `select g.id, g.user_id, g.organization_id
    from oauth_artifacts a join oauth_grants g on g.id = a.grant_key
    where a.model = 'RefreshToken' and a.id_hash = $1`,
};
