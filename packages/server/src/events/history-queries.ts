import { many, maybeOne, one, statement } from '../database/index.ts';

/** An event in an organization's history, by the organization's clock. */
export interface PastEventRow {
  at: Date;
  type: string;
  id: string;
  /** The ID of its object. */
  resource_id: string | null;
}

/** An event as stored. */
export interface EventRow {
  id: string;
  type: string;
  created: Date;
  object: Record<string, unknown>;
}

export const findEvent = statement({
  name: 'find_event',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<EventRow>(),
  sql: ({ organizationId, id }) =>
    `select id, type, created, object from events where organization_id = ${organizationId} and id = ${id}`,
});

/** The organization's events since a time, in order, at most `limit`. */
export const listEventsSince = statement({
  name: 'list_events_since',
  parameters: { organizationId: 'text', since: 'instant', limit: 'integer' },
  returns: many<PastEventRow>(),
  sql: ({ organizationId, since, limit }) => `select created as at, type, id,
      coalesce(object ->> 'id', object ->> 'session_id', object ->> 'license_id', object ->> 'organization_id')
        as resource_id
    from events where organization_id = ${organizationId} and created >= ${since} order by created, id limit ${limit}`,
});

export const countEventsSince = statement({
  name: 'count_events_since',
  parameters: { organizationId: 'text', since: 'instant' },
  returns: one<{ count: number }>(),
  sql: ({ organizationId, since }) =>
    `select count(*)::int as count from events where organization_id = ${organizationId} and created >= ${since}`,
});
