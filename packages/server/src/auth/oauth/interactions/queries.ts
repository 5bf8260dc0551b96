import type { Queries, Statement } from '../../../database/index.ts';
import type { Role } from '../../../http/index.ts';

/** An organization that a user may let an app into. */
export interface HomeRow {
  id: string;
  name: string;
  role: Role;
}

/** A user's organizations, the one they have been in longest first; a hundred at most, as many as a page can show. */
export async function findHomes(database: Queries, userId: string): Promise<HomeRow[]> {
  return database.query(FIND_HOMES, [userId]);
}

const FIND_HOMES: Statement<HomeRow> = {
  name: 'find_homes',
  text: `select o.id, o.name, m.role
    from memberships m join organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = $1 order by m.created_at, m.organization_id limit 100`,
};
