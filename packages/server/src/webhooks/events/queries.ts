import { maybeOne, statement } from '../../database/index.ts';

export interface EventRow {
  id: string;
  type: string;
  created: Date;
  object: Record<string, unknown>;
}

/** An event of an organization. */
export const findEvent = statement({
  name: 'find_event',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<EventRow>(),
  sql: ({ organizationId, id }) =>
    `select id, type, created, object from events where organization_id = ${organizationId} and id = ${id}`,
});
