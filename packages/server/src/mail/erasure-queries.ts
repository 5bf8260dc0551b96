import type { PersonErasure, Statement } from '../database/index.ts';

/** Mails to a deleted person are no longer sent. */
export const MAIL_ERASURES: readonly PersonErasure[] = [
  {
    table: 'outgoing_mails',
    erase: async (database, { email }, limit) => (await database.query(DELETE_MAILS_TO, [email, limit])).length,
  },
  {
    table: 'mail_counts',
    erase: async (database, { email }) => (await database.query(DELETE_MAIL_COUNTS_OF, [email])).length,
  },
];

/** Includes mails that are being sent: the sender then finds nothing to finish. */
const DELETE_MAILS_TO: Statement<{ id: string }> = {
  name: 'delete_mails_to',
  text: `with found as materialized (select id from outgoing_mails where recipient = $1 order by id limit $2)
    delete from outgoing_mails where id = any(array(select id from found)) returning id`,
};

const DELETE_MAIL_COUNTS_OF: Statement<{ kind: string }> = {
  name: 'delete_mail_counts_of',
  text: 'delete from mail_counts where recipient = $1 returning kind',
};
