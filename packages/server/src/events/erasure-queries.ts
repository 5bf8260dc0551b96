import {
  count,
  defineOrganizationTable,
  exists,
  isSameKey,
  keysIn,
  type OrganizationTable,
  type PersonErasure,
  statement,
} from '../database/index.ts';

/** Removes a person from the events about members and invitations; the events and their identifiers stay. */
export const EVENT_ERASURES: readonly PersonErasure[] = [
  { table: 'events', erase: (database, { email }, limit) => eraseEventsOfPerson(database, { email, limit }) },
];

/** Whether an organization has an event with this identifier or a later one, of a type not in this list. */
export const hasEventSince = statement({
  name: 'find_event_since',
  parameters: { organizationId: 'text', firstEventId: 'text', exceptTypes: 'text[]' },
  returns: exists(),
  sql: ({ organizationId, firstEventId, exceptTypes }) => `
    select id from events
    where organization_id = ${organizationId} and id >= ${firstEventId} and type <> all(${exceptTypes}) limit 1`,
});

/** All of these are deleted with their organization. */
export const EVENT_TABLES: readonly OrganizationTable[] = [defineOrganizationTable({ table: 'events', key: ['id'] })];

/** The placeholder for a deleted person. The address is in a reserved domain (RFC 2606). */
const ERASED_PERSON = { email: 'deleted@example.invalid', name: 'Deleted user' } as const;

/** The picture goes with the person. */
const KEY = ['organization_id', 'id'];

const eraseEventsOfPerson = statement({
  name: 'erase_events_of_person',
  parameters: { email: 'text', limit: 'integer' },
  returns: count(),
  sql: ({ email, limit }) => `with found as materialized (
      select organization_id, id from events where object ->> 'email' = ${email} and type like 'org.member.%'
      order by organization_id, id limit ${limit}
    )
    update events e set object = e.object || jsonb_build_object('email', '${ERASED_PERSON.email}')
      || case when e.object ? 'name' then jsonb_build_object('name', '${ERASED_PERSON.name}') else '{}' end
      || case when e.object ? 'avatar_url' then jsonb_build_object('avatar_url',
          'https://example.invalid/avatar.svg') else '{}' end
    from ${keysIn('found', KEY)} where e.object ->> 'email' = ${email} and ${isSameKey('e', KEY)}`,
});
