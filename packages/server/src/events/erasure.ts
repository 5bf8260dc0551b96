import {
  defineOrganizationTable,
  isSameKey,
  keysIn,
  type OrganizationTable,
  type PersonErasure,
  type Queries,
  type Statement,
} from '../database/index.ts';

/** Takes a person out of the events that tell of members and invitations; the events and their identifiers stay. */
export const EVENT_ERASURES: readonly PersonErasure[] = [
  {
    table: 'events',
    erase: async (database, { email }, limit) => (await database.query(ERASE_EVENTS_OF_PERSON, [email, limit])).length,
  },
];

/** Whether an organization has an event with this identifier or a later one, of another type than these. */
export async function hasEventSince(
  database: Queries,
  organizationId: string,
  firstEventId: string,
  exceptTypes: readonly string[],
): Promise<boolean> {
  return (await database.query(FIND_EVENT_SINCE, [organizationId, firstEventId, exceptTypes])).length > 0;
}

const FIND_EVENT_SINCE: Statement<{ id: string }> = {
  name: 'find_event_since',
  text: `select id from events where organization_id = $1 and id >= $2 and type <> all($3::text[]) limit 1`,
};

/** Nothing of these stays of a deleted organization. */
export const EVENT_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({ table: 'unsent_events', key: ['event_id'] }),
  defineOrganizationTable({ table: 'events', key: ['id'] }),
];

/** The placeholder for a deleted person. The address is in a reserved domain (RFC 2606). */
const ERASED_PERSON = { email: 'deleted@example.invalid', name: 'Deleted user' } as const;

/** The picture goes with the person. */
const KEY = ['organization_id', 'id'];

const ERASE_EVENTS_OF_PERSON: Statement<{ id: string }> = {
  name: 'erase_events_of_person',
  text: `with found as materialized (
      select organization_id, id from events where object ->> 'email' = $1 and type like 'org.member.%'
      order by organization_id, id limit $2
    )
    update events e set object = e.object || jsonb_build_object('email', '${ERASED_PERSON.email}')
      || case when e.object ? 'name' then jsonb_build_object('name', '${ERASED_PERSON.name}') else '{}' end
      || case when e.object ? 'avatar_url' then jsonb_build_object('avatar_url',
          'https://example.invalid/avatar.svg') else '{}' end
    from ${keysIn('found', KEY)} where e.object ->> 'email' = $1 and ${isSameKey('e', KEY)} returning e.id`,
};
