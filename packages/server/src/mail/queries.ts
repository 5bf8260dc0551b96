import type { Statement } from '../database/index.ts';

/** $1 id, $2 recipient, $3 kind, $4 encrypted content. */
export const INSERT_MAIL: Statement<never> = {
  name: 'insert_mail',
  text: `insert into outgoing_mails (id, recipient, kind, content, created_at, due_at)
    select $1, $2, $3, $4, n.t, n.t from (select clock_timestamp() as t) n`,
};
