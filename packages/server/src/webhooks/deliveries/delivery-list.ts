import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { ALL_DELIVERIES, type DeliveryRow, deliveryColumns } from './queries.ts';
import { DELIVERY_STATUSES } from './schemas.ts';

/** An endpoint's deliveries. */
export const DELIVERY_LIST = defineList({
  name: 'list_deliveries',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', endpointId: 'text' },
  returns: many<DeliveryRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: {
    status: filterBy.oneOf(DELIVERY_STATUSES, 'status'),
    event_type: filterBy.text('event_type'),
    event_id: filterBy.text('event_id'),
    ...filterBy.createdWithin('created_at'),
    sequence_after: filterBy.above('sequence'),
  },
  sql: ({ organizationId, clockOffsetMs, endpointId }, { page }) => `select ${deliveryColumns(clockOffsetMs)}
    from ${ALL_DELIVERIES} where organization_id = ${organizationId} and endpoint_id = ${endpointId} and ${page}`,
});
