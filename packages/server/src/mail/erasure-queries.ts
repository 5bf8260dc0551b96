import { count, type PersonErasure, statement } from '../database/index.ts';

/** Mails to a deleted person are no longer sent. */
export const MAIL_ERASURES: readonly PersonErasure[] = [
  {
    table: 'outgoing_mails',
    erase: (database, { email }, limit) => deleteMailsTo(database, { email, limit }),
  },
  {
    table: 'mail_counts',
    erase: (database, { email }) => deleteMailCountsOf(database, { email }),
  },
];

/** Includes mails being sent: the sender then has nothing left to finish. */
const deleteMailsTo = statement({
  name: 'delete_mails_to',
  parameters: { email: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ email, limit }) => `
    with found as materialized (select id from outgoing_mails where recipient = ${email} order by id limit ${limit})
    delete from outgoing_mails where id = any(array(select id from found))`,
});

const deleteMailCountsOf = statement({
  name: 'delete_mail_counts_of',
  parameters: { email: 'text' },
  returns: count(),
  sql: ({ email }) => `delete from mail_counts where recipient = ${email}`,
});
