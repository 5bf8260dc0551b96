import { many } from '../../database/index.ts';
import type { EventRow } from '../../events/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';

/** An organization's events. */
export const EVENT_LIST = defineList({
  name: 'list_events',
  parameters: { organizationId: 'text' },
  returns: many<EventRow>(),
  defaultSort: '-created',
  sorts: { created: sortBy.time('created') },
  filters: { type: filterBy.text('type'), ...filterBy.createdWithin('created') },
  sql: ({ organizationId }, { page }) =>
    `select id, type, created, object from events where organization_id = ${organizationId} and ${page}`,
});
