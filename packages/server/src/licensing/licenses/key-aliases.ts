import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError } from '../../http/index.ts';
import { deleteOtherAliases, findKeyByAlias, findLicenseByAlias, insertAliases, listOwnKeys } from './alias-queries.ts';
import { normalizeLicenseKey } from './license-key.ts';
import { findLicenseByKey } from './queries.ts';

/** Replaces the aliases of a license. Throws already_exists for one that leads to another license. */
export async function replaceKeyAliases(
  tx: Queries,
  { organizationId, licenseId }: { organizationId: string; licenseId: string },
  typed: readonly string[],
): Promise<void> {
  const aliases = [...new Set(typed.map(normalizeAlias))];
  await deleteOtherAliases(tx, { organizationId, licenseId, kept: aliases });
  const [own] = aliases.length === 0 ? [] : await listOwnKeys(tx, { keys: aliases });
  if (own !== undefined) {
    throw alreadyExists(own.key);
  }
  const inserted = new Set((await insertAliases(tx, { organizationId, licenseId, aliases })).map((row) => row.alias));
  for (const alias of aliases) {
    if (!inserted.has(alias) && (await findLicenseByAlias(tx, { alias }))?.id !== licenseId) {
      throw alreadyExists(alias);
    }
  }
}

function alreadyExists(key: string): ApiError {
  return httpError('already_exists', `Another license has the key ${JSON.stringify(key)}.`, {
    details: { field: 'key_aliases' },
  });
}

/** The license of a typed key, which may be an alias. Only for staff. */
export async function findLicenseByTypedKey(
  database: Queries,
  typed: string,
): Promise<{ organization_id: string; id: string } | undefined> {
  const key = normalizeLicenseKey(typed);
  const byKey = key === undefined ? undefined : await findLicenseByKey(database, { key });
  return byKey ?? findLicenseByAlias(database, { alias: normalizeAlias(typed) });
}

/** Finds the key of the organization's license that has this alias. `typed` is the text that a person entered. */
export async function findKeyByTypedAlias(
  database: Queries,
  organizationId: string,
  typed: string,
): Promise<string | undefined> {
  return (await findKeyByAlias(database, { organizationId, alias: normalizeAlias(typed) }))?.key;
}

/**
 * The alias that a machine may be activated with, or undefined. An acquire also needs a token, but an activation needs
 * nothing else, so a short alias, which can be guessed, is not enough.
 */
export function activatingAlias(typed: string): string | undefined {
  const alias = normalizeAlias(typed);
  return (alias.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= LEAST_TO_ACTIVATE ? alias : undefined;
}

const LEAST_TO_ACTIVATE = 16;

/**
 * The stored form of another system's key. It must match exactly as issued; only a key that looks like one of ours is
 * normalized like ours.
 */
function normalizeAlias(typed: string): string {
  return normalizeLicenseKey(typed) ?? typed.trim().normalize('NFC');
}
