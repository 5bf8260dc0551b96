import { isSameKey, keysIn, type Queries, type Statement } from '../database/index.ts';

/** $1 id, $2 recipient, $3 kind, $4 encrypted content. */
export const INSERT_MAIL: Statement<never> = {
  name: 'insert_mail',
  text: `insert into outgoing_mails (id, recipient, kind, content, created_at, due_at)
    select $1, $2, $3, $4, n.t, n.t from (select clock_timestamp() as t) n`,
};

/**
 * The same, unless the recipient was queued as many of this kind as $5 within the last hour: then nothing is written. The
 * row of the counts is written first, so that many at once are counted one after the other, each by the time after its wait.
 */
export const INSERT_COUNTED_MAIL: Statement<{ id: string }> = {
  name: 'insert_counted_mail',
  text: `with counted as (
      insert into mail_counts as c (recipient, kind, queued_at, last_queued_at)
      select $2::text, $3::text, array[n.t], n.t from (select clock_timestamp() as t) n
      on conflict (recipient, kind) do update set
        queued_at = (case when cardinality(c.queued_at) < $5::integer then c.queued_at else c.queued_at[2:] end)
          || clock_timestamp()::timestamptz(3),
        last_queued_at = clock_timestamp()
      where cardinality(c.queued_at) < $5::integer or c.queued_at[1] <= clock_timestamp() - interval '1 hour'
      returning last_queued_at
    )
    insert into outgoing_mails (id, recipient, kind, content, created_at, due_at)
    select $1, $2::text, $3::text, $4, last_queued_at, last_queued_at from counted returning id`,
};

/** Removes counts that no longer matter, at most `limit`; returns how many. */
export async function deleteForgottenMailCounts(database: Queries, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_MAIL_COUNTS, [limit])).length;
}

/** A mail that this process alone may send until its lease ends. */
export interface ClaimedMail {
  id: string;
  claim_id: string;
  recipient: string;
  kind: string;
  content: Buffer;
  attempts: number;
  created_at: Date;
}

/** How many mails wait, and how many were given up and not forgotten yet; each counted up to a bound. */
export interface MailCounts {
  waiting: number;
  given_up: number;
}

/** Takes up to `limit` mails that are due, the longest due first, for `leaseSeconds`: then they are due again by themselves. */
export async function claimDueMails(
  database: Queries,
  claimId: string,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedMail[]> {
  return database.query(CLAIM_DUE_MAILS, [claimId, limit, leaseSeconds]);
}

/** Removes a mail that was handed over, unless its lease ended and another claim holds it by now. */
export async function deleteSentMail(database: Queries, mail: ClaimedMail): Promise<void> {
  await database.query(DELETE_SENT_MAIL, [mail.id, mail.claim_id]);
}

/** Makes a claimed mail due at once, as if it had not been claimed. */
export async function updateMailReleased(database: Queries, mail: ClaimedMail): Promise<void> {
  await database.query(UPDATE_MAIL_RELEASED, [mail.id, mail.claim_id]);
}

/** Counts a failed attempt and sets the time of the next. */
export async function updateMailFailed(
  database: Queries,
  mail: ClaimedMail,
  delaySeconds: number,
  lastError: string,
): Promise<void> {
  await database.query(UPDATE_MAIL_FAILED, [mail.id, mail.claim_id, delaySeconds, lastError]);
}

/** Ends the attempts at a mail. What it said is deleted with that: nobody will read it, and it may hold a secret. */
export async function updateMailGivenUp(database: Queries, mail: ClaimedMail, lastError: string): Promise<void> {
  await database.query(UPDATE_MAIL_GIVEN_UP, [mail.id, mail.claim_id, lastError]);
}

/** Removes mails that were given up 30 days ago, at most `limit`; returns how many went. */
export async function deleteForgottenMails(database: Queries, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_MAILS, [limit])).length;
}

/** Counts, along the two indexes and no further than to 10,000, which is all that an alarm needs to know. */
export async function countMails(database: Queries): Promise<MailCounts> {
  const [counts] = await database.query(COUNT_MAILS, []);
  return counts ?? { waiting: 0, given_up: 0 };
}

/** How many mails wait, how many were given up, and how long the oldest has waited; for `seathold doctor`. */
export async function readMailBacklog(database: Queries): Promise<MailCounts & { oldest_seconds: number | null }> {
  const [oldest] = await database.query(FIND_OLDEST_WAITING, []);
  return { ...(await countMails(database)), oldest_seconds: oldest?.seconds ?? null };
}

/**
 * $1 claim, $2 limit, $3 lease in seconds. Two workers pass over each other's rows; who comes later finds them due only
 * after the lease, so a worker that dies needs nobody to hand back what it held.
 */
const CLAIM_DUE_MAILS: Statement<ClaimedMail> = {
  name: 'claim_due_mails',
  text: `update outgoing_mails set claim_id = $1, due_at = clock_timestamp() + $3 * interval '1 second'
    where id = any(array(
      select id from outgoing_mails where gave_up_at is null and due_at <= (select clock_timestamp())
      order by due_at limit $2 for update skip locked
    )) returning id, claim_id, recipient, kind, content, attempts, created_at`,
};

const DELETE_SENT_MAIL: Statement<never> = {
  name: 'delete_sent_mail',
  text: 'delete from outgoing_mails where id = $1 and claim_id = $2',
};

const UPDATE_MAIL_RELEASED: Statement<never> = {
  name: 'update_mail_released',
  text: 'update outgoing_mails set claim_id = null, due_at = clock_timestamp() where id = $1 and claim_id = $2',
};

const UPDATE_MAIL_FAILED: Statement<never> = {
  name: 'update_mail_failed',
  text: `update outgoing_mails set claim_id = null, attempts = attempts + 1, last_error = $4,
      due_at = clock_timestamp() + $3 * interval '1 second'
    where id = $1 and claim_id = $2`,
};

const UPDATE_MAIL_GIVEN_UP: Statement<never> = {
  name: 'update_mail_given_up',
  text: `update outgoing_mails set claim_id = null, attempts = attempts + 1, last_error = $3, content = null,
      gave_up_at = clock_timestamp()
    where id = $1 and claim_id = $2`,
};

const DELETE_FORGOTTEN_MAILS: Statement<{ id: string }> = {
  name: 'delete_forgotten_mails',
  text: `delete from outgoing_mails where id = any(array(
      select id from outgoing_mails where gave_up_at < (select clock_timestamp() - interval '30 days')
      order by gave_up_at limit $1 for update skip locked
    )) returning id`,
};

const DELETE_FORGOTTEN_MAIL_COUNTS: Statement<{ kind: string }> = {
  name: 'delete_forgotten_mail_counts',
  text: `with gone as materialized (
      select recipient, kind from mail_counts
      where last_queued_at < (select clock_timestamp() - interval '1 hour')
      order by last_queued_at limit $1 for update skip locked
    )
    delete from mail_counts t using ${keysIn('gone', ['recipient', 'kind'])}
    where ${isSameKey('t', ['recipient', 'kind'])} returning t.kind`,
};

const FIND_OLDEST_WAITING: Statement<{ seconds: number | null }> = {
  name: 'find_oldest_waiting',
  text: `select extract(epoch from clock_timestamp() - min(created_at))::float8 as seconds
    from outgoing_mails where gave_up_at is null`,
};

const COUNT_MAILS: Statement<MailCounts> = {
  name: 'count_mails',
  text: `select
      (select count(*) from (select 1 from outgoing_mails where gave_up_at is null limit 10000) w) as waiting,
      (select count(*) from (select 1 from outgoing_mails where gave_up_at is not null limit 10000) g) as given_up`,
};
