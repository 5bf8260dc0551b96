import { type Placeholders, recordset, type StatementCall, statement, wallTime } from '../database/index.ts';

const PARAMETERS = {
  organizationId: 'text',
  clockOffsetMs: 'bigint',
  announced: recordset({ id: 'text', type: 'text', object: 'jsonb' }),
} as const;

export type InsertEvents = StatementCall<typeof PARAMETERS, Promise<void>>;

/** An SQL expression for whether an organization has a listener. */
type IsListening = (organizationId: string) => string;

const insertInto = ({ organizationId, clockOffsetMs, announced }: Placeholders<typeof PARAMETERS>) => `
  insert into events (organization_id, id, type, created, object)
  select ${organizationId}, announced.id, announced.type, ${wallTime(clockOffsetMs)}, announced.object
  from ${announced}`;

/** Writes events that no one outside the service receives. */
export const insertEvents: InsertEvents = statement({ name: 'insert_events', parameters: PARAMETERS, sql: insertInto });

/**
 * A statement that writes events and, where the organization is listening, queues them for sending: an event with a
 * listener is never without the row that leads to its deliveries.
 * @param isListening an SQL expression for whether an organization has a listener.
 */
export function defineEventInsert(isListening: IsListening): InsertEvents {
  return statement({
    name: 'insert_heard_events',
    parameters: PARAMETERS,
    sql: (given) => `
      with written as (${insertInto(given)} returning organization_id, id)
      insert into unsent_events (organization_id, event_id, announced_at)
      select organization_id, id, clock_timestamp() from written where ${isListening(given.organizationId)}`,
  });
}

/**
 * SQL: common table expressions that write the rows of `from` (id, type, created, object) as events of an organization, for
 * a statement that announces what it does. `now` is the real time.
 */
export type WriteEvents = (organizationId: string, from: string, now: string) => string;

/** Writes events like `insertEvents`, inside another statement. */
export const writeEvents: WriteEvents = (organizationId, from) => `written as (
      insert into events (organization_id, id, type, created, object)
      select ${organizationId}, ${from}.id, ${from}.type, ${from}.created, ${from}.object from ${from}
      returning organization_id, id
    )`;

/** The same as the result of `defineEventInsert`, inside another statement. */
export function defineEventWriter(isListening: IsListening): WriteEvents {
  return (organizationId, from, now) => `${writeEvents(organizationId, from, now)}, unsent as (
      insert into unsent_events (organization_id, event_id, announced_at)
      select organization_id, id, ${now} from written where ${isListening(organizationId)}
    )`;
}
