import { anyRow, defineDueCheck, many, statement } from '../../database/index.ts';

/** Records a request to reset the password of this address, whether there is such an account or not. */
export const insertResetRequest = statement({
  name: 'insert_reset_request',
  parameters: { id: 'text', email: 'text' },
  sql: ({ id, email }) => `
    insert into password_reset_requests (id, email, created_at) values (${id}, ${email}, clock_timestamp())`,
});

export const resetRequestsWait = defineDueCheck({
  name: 'reset_requests_wait',
  sql: () => anyRow('select id from password_reset_requests order by id limit 1'),
});

/** Claims the oldest requests that no other process holds, and deletes them. */
export const claimResetRequests = statement({
  name: 'claim_reset_requests',
  parameters: { limit: 'integer' },
  returns: many<{ email: string }>(),
  sql: ({ limit }) => `
    delete from password_reset_requests where id = any(array(
      select id from password_reset_requests order by id limit ${limit} for update skip locked
    )) returning email`,
});
