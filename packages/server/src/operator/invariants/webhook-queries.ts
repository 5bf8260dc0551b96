import type { Invariant } from './invariant.ts';

/** Invariants of each endpoint and its deliveries. */
export const WEBHOOK_INVARIANTS: readonly Invariant[] = [
  {
    name: 'delivery_sequence',
    promise: 'the deliveries of an endpoint are numbered from 1 without a gap',
    subject: 'webhookEndpoint',
    // If there are as many different numbers as were assigned and not deleted, and none beyond the last, none is
    // missing. The history of a deleted endpoint is deleted piece by piece.
    fault: `select case
        when n.kept <> n.different then format('%s of its deliveries share a number', n.kept - n.different)
        when n.highest > c.last then format('a delivery has number %s, but the last one given is %s', n.highest, c.last)
        when n.kept <> c.last - c.deleted
          then format('%s numbers were given and %s deleted, but %s deliveries have one', c.last, c.deleted, n.kept)
      end
      from (
        select count(*) as kept, count(distinct sequence) as different, coalesce(max(sequence), 0) as highest from (
          select sequence from webhook_deliveries
          where organization_id = s.organization_id and endpoint_id = s.id and sequence is not null
          union all
          select sequence from webhook_queue
          where organization_id = s.organization_id and endpoint_id = s.id and sequence is not null
        ) d
      ) n, (
        select coalesce(max(last), 0) as last, coalesce(max(deleted), 0) as deleted from webhook_sequences
        where organization_id = s.organization_id and endpoint_id = s.id
      ) c
      where s.deleted_at is null`,
  },
];
