import type { Queries, Statement } from '../../database/index.ts';

/** Records a request to reset the password of this address, whether there is such an account or not. */
export async function insertResetRequest(database: Queries, id: string, email: string): Promise<void> {
  await database.query(INSERT_RESET_REQUEST, [id, email]);
}

/** Takes the oldest requests, at most `limit`, which no other process holds; returns their addresses. */
export async function takeResetRequests(tx: Queries, limit: number): Promise<string[]> {
  return (await tx.query(TAKE_RESET_REQUESTS, [limit])).map((row) => row.email);
}

const INSERT_RESET_REQUEST: Statement<never> = {
  name: 'insert_reset_request',
  text: 'insert into password_reset_requests (id, email, created_at) values ($1, $2, clock_timestamp())',
};

const TAKE_RESET_REQUESTS: Statement<{ email: string }> = {
  name: 'take_reset_requests',
  text: `delete from password_reset_requests where id = any(array(
      select id from password_reset_requests order by id limit $1 for update skip locked
    )) returning email`,
};
