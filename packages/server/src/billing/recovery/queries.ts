import { many, statement } from '../../database/index.ts';

/** Which of these references are payments here or were resolved by staff, and so cannot be adopted. */
export const listUnadoptableRefs = statement({
  name: 'list_unadoptable_refs',
  parameters: { provider: 'text', refs: 'text[]' },
  returns: many((row: { provider_ref: string }) => row.provider_ref),
  sql: ({ provider, refs }) => `select provider_ref from payments
    where provider = ${provider} and provider_ref = any(${refs})
    union all
    select provider_ref from orphaned_payments
    where provider = ${provider} and provider_ref = any(${refs}) and status = 'resolved'`,
});

/** Records that a payment here has adopted an orphaned charge. `now` is real time. */
export const updateAdoptedOrphan = statement({
  name: 'update_adopted_orphan',
  parameters: { provider: 'text', ref: 'text', now: 'instant' },
  sql: ({ provider, ref, now }) => `update orphaned_payments
    set status = 'adopted', review_at = null, closed_at = ${now}
    where provider = ${provider} and provider_ref = ${ref} and status in ('awaited', 'orphaned')`,
});
