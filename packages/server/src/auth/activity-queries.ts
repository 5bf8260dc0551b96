import { many, statement } from '../database/index.ts';

/** When a login that acts in each of these organizations, or one of its API tokens, was last used. */
export const listActivityOfOrganizations = statement({
  name: 'list_activity_of_organizations',
  parameters: { organizationIds: 'text[]' },
  returns: many<{ organization_id: string; last_active_at: Date | null }>(),
  sql: ({ organizationIds }) => `
    select o.id as organization_id, greatest(
        (select max(last_seen_at) from login_sessions where organization_id = o.id),
        (select max(last_used_at) from api_tokens where organization_id = o.id)) as last_active_at
    from unnest(${organizationIds}) as o (id)`,
});
