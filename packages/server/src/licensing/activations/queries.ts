import { count, many, maybeOne, one, statement, wallTime } from '../../database/index.ts';
import type { Tier } from '../../organizations/index.ts';

/** A license as found by its key alone. */
export interface KeyedLicenseRow {
  organization_id: string;
  id: string;
  product: string;
  state: 'active' | 'suspended' | 'revoked';
  is_expired: boolean;
  expires_at_ms: number;
  is_organization_suspended: boolean;
  max_seats: number;
  activation: 'account' | 'key';
  node_locked: boolean;
  /** Null for the default. */
  max_activations: number | null;
}

/** SQL: a field of the license's policy; the nearest level that sets it wins. */
const policy = (field: string) =>
  `coalesce(l.policy ->> '${field}', l.plan_policy ->> '${field}', p.policy ->> '${field}')`;

/**
 * The licenses of any organization with this key or alias, those with the key first. One look-up in every case, so that
 * response times reveal nothing.
 */
export const listLicensesByKey = statement({
  name: 'list_licenses_by_key',
  parameters: { key: 'text', alias: 'text' },
  returns: many<KeyedLicenseRow>(),
  sql: ({ key, alias }) => `
    select l.organization_id, l.id, l.product, l.state, l.max_seats,
      l.expires_at <= ${wallTime('o.clock_offset_ms')} as is_expired,
      floor(extract(epoch from l.expires_at) * 1000)::float8 as expires_at_ms,
      o.suspended_at is not null as is_organization_suspended,
      coalesce(${policy('activation')}, 'account') as activation,
      coalesce(${policy('node_locked')}::boolean, false) as node_locked,
      ${policy('max_activations')}::int as max_activations
    from (
      select organization_id, id, false as is_alias from licenses where key = ${key}
      union all
      select organization_id, license_id, true from license_key_aliases where alias = ${alias}
    ) found
    join licenses l on l.organization_id = found.organization_id and l.id = found.id
    join organizations o on o.id = l.organization_id left join products p on p.key = l.product
    where o.deleted_at is null order by found.is_alias, l.created_at, l.id limit 10`,
});

/** Gives an already activated machine a new token; the old one becomes invalid. */
export const updateActivationToken = statement({
  name: 'update_activation_token',
  parameters: {
    organizationId: 'text',
    licenseId: 'text',
    hardwareId: 'text',
    name: 'text | null',
    tokenHash: 'bytea',
    at: 'instant',
  },
  returns: maybeOne<{ id: string }>(),
  sql: ({ organizationId, licenseId, hardwareId, name, tokenHash, at }) => `
    update license_activations set token_hash = ${tokenHash}, activated_at = ${at}, name = coalesce(${name}, name)
    where organization_id = ${organizationId} and license_id = ${licenseId} and hardware_id = ${hardwareId}
    returning id`,
});

export const countActivations = statement({
  name: 'count_activations',
  parameters: { organizationId: 'text', licenseId: 'text' },
  returns: one<{ activations: number }>(),
  sql: ({ organizationId, licenseId }) => `select count(*)::int as activations from license_activations
    where organization_id = ${organizationId} and license_id = ${licenseId}`,
});

export const insertActivation = statement({
  name: 'insert_activation',
  parameters: {
    organizationId: 'text',
    id: 'text',
    licenseId: 'text',
    hardwareId: 'text',
    name: 'text | null',
    tokenHash: 'bytea',
    at: 'instant',
  },
  sql: ({ organizationId, id, licenseId, hardwareId, name, tokenHash, at }) => `
    insert into license_activations (organization_id, id, license_id, hardware_id, name, token_hash, created_at, activated_at)
    values (${organizationId}, ${id}, ${licenseId}, ${hardwareId}, ${name}, ${tokenHash}, ${at}, ${at})`,
});

/** What an activation token represents. */
export interface ActivationTokenRow {
  id: string;
  organization_id: string;
  license_id: string;
  hardware_id: string;
  tier: Tier;
  clock_offset_ms: number;
  is_suspended: boolean;
}

export const findActivationByToken = statement({
  name: 'find_activation_by_token',
  parameters: { tokenHash: 'bytea' },
  returns: maybeOne<ActivationTokenRow>(),
  sql: ({ tokenHash }) => `
    select a.id, a.organization_id, a.license_id, a.hardware_id, o.tier, o.clock_offset_ms,
      o.suspended_at is not null as is_suspended
    from license_activations a join organizations o on o.id = a.organization_id
    where a.token_hash = ${tokenHash} and o.deleted_at is null`,
});

/** An activated machine. */
export interface ActivationRow {
  id: string;
  license_id: string;
  hardware_id: string;
  name: string | null;
  created_at: Date;
  activated_at: Date;
}

/** Ends an activation; its token becomes invalid. */
export const deleteActivation = statement({
  name: 'delete_activation',
  parameters: { organizationId: 'text', licenseId: 'text', id: 'text' },
  returns: maybeOne<ActivationRow>(),
  sql: ({ organizationId, licenseId, id }) => `
    delete from license_activations
    where organization_id = ${organizationId} and license_id = ${licenseId} and id = ${id}
    returning id, license_id, hardware_id, name, created_at, activated_at`,
});

/** The seats held by an activation. */
export const listSessionsOfActivation = statement({
  name: 'list_sessions_of_activation',
  parameters: { organizationId: 'text', licenseId: 'text', id: 'text' },
  returns: many<{ session_id: string }>(),
  sql: ({ organizationId, licenseId, id }) => `
    select session_id from seat_slots
    where organization_id = ${organizationId} and license_id = ${licenseId} and user_id = ${id} and session_id is not null`,
});

/** Revokes a token that was sent unencrypted, by replacing it with one that no one knows. Counts it. */
export const updateLeakedActivation = statement({
  name: 'update_leaked_activation',
  parameters: { tokenHash: 'bytea', unknownHash: 'bytea' },
  returns: count(),
  sql: ({ tokenHash, unknownHash }) =>
    `update license_activations set token_hash = ${unknownHash} where token_hash = ${tokenHash}`,
});
