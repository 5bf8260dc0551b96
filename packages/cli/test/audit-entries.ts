import { Database } from '../../server/src/database/index.ts';
import { execute } from '../../server/test/harness/index.ts';

/** What the audit log records about a command. */
export interface Entry {
  organization_id: string;
  action: string;
  target_id: string;
  actor_user_id: string | null;
}

/** The entries that commands have written to the audit log of a database, oldest first. */
export function entriesOf(database: Database): Promise<Entry[]> {
  return execute<Entry>(
    database,
    `select organization_id, action, target_id, actor_user_id from audit_entries
     where credential_kind = 'operator' order by created_at, id`,
  );
}

/** The same for a database that no app of the test has open. */
export async function entriesAt(url: string): Promise<Entry[]> {
  const database = new Database(url, { connections: 1, maxWaiting: 1 }, () => undefined);
  try {
    return await entriesOf(database);
  } finally {
    await database.close();
  }
}
