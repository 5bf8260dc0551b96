import { anyRow, count, defineDueCheck, exists, isSameKey, keysIn, many, one, statement } from '../database/index.ts';

export const insertMail = statement({
  name: 'insert_mail',
  parameters: { id: 'text', recipient: 'text', kind: 'text', content: 'bytea' },
  sql: ({ id, recipient, kind, content }) => `
    insert into outgoing_mails (id, recipient, kind, content, created_at, due_at)
    select ${id}, ${recipient}, ${kind}, ${content}, n.t, n.t from (select clock_timestamp() as t) n`,
});

/**
 * The same, unless `most` of this kind were queued for the recipient within the last hour: then nothing is written. The
 * row of the counts is written first, so that concurrent mails are counted one after the other, each by the time after
 * its wait.
 */
export const insertCountedMail = statement({
  name: 'insert_counted_mail',
  parameters: { id: 'text', recipient: 'text', kind: 'text', content: 'bytea', most: 'integer' },
  returns: exists(),
  sql: ({ id, recipient, kind, content, most }) => `with counted as (
      insert into mail_counts as c (recipient, kind, queued_at, last_queued_at)
      select ${recipient}, ${kind}, array[n.t], n.t from (select clock_timestamp() as t) n
      on conflict (recipient, kind) do update set
        queued_at = (case when cardinality(c.queued_at) < ${most} then c.queued_at else c.queued_at[2:] end)
          || clock_timestamp()::timestamptz(3),
        last_queued_at = clock_timestamp()
      where cardinality(c.queued_at) < ${most} or c.queued_at[1] <= clock_timestamp() - interval '1 hour'
      returning last_queued_at
    )
    insert into outgoing_mails (id, recipient, kind, content, created_at, due_at)
    select ${id}, ${recipient}, ${kind}, ${content}, last_queued_at, last_queued_at from counted returning id`,
});

/** A mail that only this process may send until its lease ends. */
export interface ClaimedMail {
  id: string;
  claim_id: string;
  recipient: string;
  kind: string;
  content: Buffer;
  attempts: number;
  created_at: Date;
}

/** How many mails are waiting, and how many were given up and not deleted yet; each counted up to a bound. */
export interface MailCounts {
  waiting: number;
  given_up: number;
}

const DUE_MAILS = `select id from outgoing_mails where gave_up_at is null and due_at <= (select clock_timestamp())
      order by due_at`;

export const mailsAreDue = defineDueCheck({ name: 'mails_are_due', sql: () => anyRow(`${DUE_MAILS} limit 1`) });

/**
 * Claims due mails, the longest due first, for `leaseSeconds`. After that they are due again automatically, even if
 * their worker died. Workers skip each other's rows.
 */
export const claimDueMails = statement({
  name: 'claim_due_mails',
  parameters: { claimId: 'text', limit: 'integer', leaseSeconds: 'float8' },
  returns: many<ClaimedMail>(),
  sql: ({ claimId, limit, leaseSeconds }) => `
    update outgoing_mails set claim_id = ${claimId}, due_at = clock_timestamp() + ${leaseSeconds} * interval '1 second'
    where id = any(array(
      ${DUE_MAILS} limit ${limit} for update skip locked
    )) returning id, claim_id, recipient, kind, content, attempts, created_at`,
});

/** Deletes a sent mail, unless its lease has ended and another claim holds it. */
export const deleteSentMail = statement({
  name: 'delete_sent_mail',
  parameters: { id: 'text', claimId: 'text' },
  sql: ({ id, claimId }) => `delete from outgoing_mails where id = ${id} and claim_id = ${claimId}`,
});

/** Makes a claimed mail due immediately, as if it had not been claimed. */
export const updateMailReleased = statement({
  name: 'update_mail_released',
  parameters: { id: 'text', claimId: 'text' },
  sql: ({ id, claimId }) =>
    `update outgoing_mails set claim_id = null, due_at = clock_timestamp() where id = ${id} and claim_id = ${claimId}`,
});

/** Counts a failed attempt and sets the time of the next. */
export const updateMailFailed = statement({
  name: 'update_mail_failed',
  parameters: { id: 'text', claimId: 'text', delaySeconds: 'float8', lastError: 'text' },
  sql: ({ id, claimId, delaySeconds, lastError }) => `
    update outgoing_mails set claim_id = null, attempts = attempts + 1, last_error = ${lastError},
      due_at = clock_timestamp() + ${delaySeconds} * interval '1 second'
    where id = ${id} and claim_id = ${claimId}`,
});

/** Ends the attempts at a mail, and deletes its content: no one will read it, and it may contain a secret. */
export const updateMailGivenUp = statement({
  name: 'update_mail_given_up',
  parameters: { id: 'text', claimId: 'text', lastError: 'text' },
  sql: ({ id, claimId, lastError }) => `
    update outgoing_mails set claim_id = null, attempts = attempts + 1, last_error = ${lastError}, content = null,
      gave_up_at = clock_timestamp()
    where id = ${id} and claim_id = ${claimId}`,
});

/** Deletes mails that were given up 30 days ago; counts them. */
export const deleteForgottenMails = statement({
  name: 'delete_forgotten_mails',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `delete from outgoing_mails where id = any(array(
      select id from outgoing_mails where gave_up_at < (select clock_timestamp() - interval '30 days')
      order by gave_up_at limit ${limit} for update skip locked
    ))`,
});

/** Deletes counts that no longer matter; counts them. */
export const deleteForgottenMailCounts = statement({
  name: 'delete_forgotten_mail_counts',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `with gone as materialized (
      select recipient, kind from mail_counts
      where last_queued_at < (select clock_timestamp() - interval '1 hour')
      order by last_queued_at limit ${limit} for update skip locked
    )
    delete from mail_counts t using ${keysIn('gone', ['recipient', 'kind'])}
    where ${isSameKey('t', ['recipient', 'kind'])}`,
});

/** How long the oldest mail has waited. */
export const findOldestWaiting = statement({
  name: 'find_oldest_waiting',
  returns: one<{ seconds: number | null }>(),
  sql: () => `select extract(epoch from clock_timestamp() - min(created_at))::float8 as seconds
    from outgoing_mails where gave_up_at is null`,
});

/** Counts by the two indexes, up to 10,000, which is enough for an alarm. */
export const countMails = statement({
  name: 'count_mails',
  returns: one<MailCounts>(),
  sql: () => `select
      (select count(*) from (select 1 from outgoing_mails where gave_up_at is null limit 10000) w) as waiting,
      (select count(*) from (select 1 from outgoing_mails where gave_up_at is not null limit 10000) g) as given_up`,
});
