import { many, maybeOne, statement } from '../../database/index.ts';

/** The license with this alias, in any organization. Only for staff. */
export const findLicenseByAlias = statement({
  name: 'find_license_by_alias',
  parameters: { alias: 'text' },
  returns: maybeOne<{ organization_id: string; id: string }>(),
  sql: ({ alias }) => `select organization_id, license_id as id from license_key_aliases where alias = ${alias}`,
});

/** Finds the key of the organization's license that has this alias. */
export const findKeyByAlias = statement({
  name: 'find_key_by_alias',
  parameters: { organizationId: 'text', alias: 'text' },
  returns: maybeOne<{ key: string }>(),
  sql: ({ organizationId, alias }) => `
    select l.key from license_key_aliases a
    join licenses l on l.organization_id = ${organizationId} and l.id = a.license_id
    where a.alias = ${alias} and a.organization_id = ${organizationId}`,
});

/** Inserts the aliases that are not in use yet, and returns them. */
export const insertAliases = statement({
  name: 'insert_license_key_aliases',
  parameters: { organizationId: 'text', licenseId: 'text', aliases: 'text[]' },
  returns: many<{ alias: string }>(),
  // In a fixed order, so that two licenses that get the same aliases never deadlock.
  sql: ({ organizationId, licenseId, aliases }) => `
    insert into license_key_aliases (alias, organization_id, license_id)
    select alias, ${organizationId}, ${licenseId} from unnest(${aliases}) as given (alias) order by alias
    on conflict (alias) do nothing returning alias`,
});

/** Deletes the aliases of a license, except those that it keeps. */
export const deleteOtherAliases = statement({
  name: 'delete_other_license_key_aliases',
  parameters: { organizationId: 'text', licenseId: 'text', kept: 'text[]' },
  sql: ({ organizationId, licenseId, kept }) => `
    delete from license_key_aliases
    where organization_id = ${organizationId} and license_id = ${licenseId} and alias <> all(${kept})`,
});

/** Which of these keys are a license's own. */
export const listOwnKeys = statement({
  name: 'list_own_license_keys',
  parameters: { keys: 'text[]' },
  returns: many<{ key: string }>(),
  sql: ({ keys }) => `select key from licenses where key = any(${keys})`,
});
