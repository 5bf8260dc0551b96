import { maybeOne, statement } from '../../database/index.ts';
import type { OrganizationRow } from '../organization-queries.ts';

/** An organization as stored for the vendor. */
export interface OperatedRow extends OrganizationRow {
  suspended_at: Date | null;
  suspension_reason: string | null;
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string> | null;
}

const COLUMNS = `id, name, slug, member_count, billing_details, clock_offset_ms, created_at, updated_at, suspended_at,
  suspension_reason, notes, external_id, metadata`;

export const findOperatedOrganization = statement({
  name: 'find_operated_organization',
  parameters: { organizationId: 'text' },
  returns: maybeOne<OperatedRow>(),
  sql: ({ organizationId }) =>
    `select ${COLUMNS} from organizations where id = ${organizationId} and deleted_at is null`,
});

/**
 * Not `for update`, because every row that refers to the organization by a foreign key would then also have to wait.
 */
export const lockOperatedOrganization = statement({
  name: 'lock_operated_organization',
  parameters: { organizationId: 'text' },
  returns: maybeOne<OperatedRow>(),
  sql: ({ organizationId }) =>
    `select ${COLUMNS} from organizations where id = ${organizationId} and deleted_at is null for no key update`,
});

export const updateOperatedOrganization = statement({
  name: 'update_operated_organization',
  parameters: {
    organizationId: 'text',
    suspendedAt: 'timestamptz | null',
    reason: 'text | null',
    notes: 'text | null',
    externalId: 'text | null',
    metadata: 'jsonb | null',
    at: 'timestamptz',
  },
  returns: maybeOne<OperatedRow>(),
  sql: ({ organizationId, suspendedAt, reason, notes, externalId, metadata, at }) => `
    update organizations set suspended_at = ${suspendedAt}, suspension_reason = ${reason}, notes = ${notes},
      external_id = ${externalId}, metadata = ${metadata}, updated_at = ${at}
    where id = ${organizationId} returning ${COLUMNS}`,
});
