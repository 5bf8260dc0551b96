import { differencesOf } from './differences.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import type { ImportTools, Outcome } from './import-tools.ts';
import { STANDARD_FEATURES } from './known-products.ts';
import { NEVER } from './parse-row.ts';
import { RowRefused } from './row-refused.ts';
import type { LicenseRow } from './row-schemas.ts';

/**
 * Issues the license of a row, or changes differing fields. It is identified by its external_id in its organization.
 */
export async function importLicense(tools: ImportTools, row: LicenseRow): Promise<Outcome> {
  const { client, pace, isDryRun } = tools;
  const organizationId = await tools.organizations.require(row.organization);
  const terms = termsOf(row);
  const present = organizationId === undefined ? undefined : await findLicense(tools, organizationId, row.external_id);
  if (isDryRun) {
    await tools.products.requireFor(row);
    await requireFreeAliases(tools, row, present?.id);
  }
  if (organizationId === undefined || present === undefined) {
    if (organizationId !== undefined && !isDryRun) {
      const body = { organization_id: organizationId, external_id: row.external_id, ...terms };
      const idempotencyKey = idempotencyKeyOf('license', body);
      await pace.send(() => client.operator.issueLicense(body, { idempotencyKey }));
    }
    return 'created';
  }
  const changes = differencesOf(comparable(terms, present), {
    ...present,
    key_aliases: present.key_aliases.toSorted(),
  });
  if (Object.keys(changes).length === 0) {
    return 'unchanged';
  }
  if (!isDryRun) {
    // Without an idempotency key, because the same change must work again after someone has undone it.
    await pace.send(() => client.operator.changeLicense(present.id, changed(terms, changes)));
  }
  return 'updated';
}

type Terms = ReturnType<typeof termsOf>;
type Present = NonNullable<Awaited<ReturnType<typeof findLicense>>>;

function termsOf({ product, max_seats, expires_at, features, key_aliases, metadata, policy }: LicenseRow) {
  return {
    product,
    max_seats,
    expires_at: expires_at === NEVER ? null : expires_at,
    ...(features === undefined ? {} : { features }),
    ...(key_aliases === undefined ? {} : { key_aliases: key_aliases.map((alias) => alias.normalize('NFC')) }),
    ...(metadata === undefined ? {} : { metadata }),
    // The service decides what a policy may contain.
    ...(policy === undefined ? {} : { policy: policy as Record<string, never> }),
  };
}

/** The terms as the service would show them: with the features that every license has, aliases in order, and the whole policy. */
function comparable(terms: Terms, present: Present) {
  const { features, key_aliases: aliases, policy } = terms;
  const standard = Object.fromEntries(STANDARD_FEATURES.map((name) => [name, false]));
  return {
    ...terms,
    ...(features === undefined ? {} : { features: { ...standard, ...features } }),
    ...(aliases === undefined ? {} : { key_aliases: [...new Set(aliases)].sort() }),
    ...(policy === undefined ? {} : { policy_overrides: overridesOf(present, policy) }),
    policy: present.policy,
  };
}

function overridesOf({ policy_overrides: before }: Present, policy: object): object {
  return Object.fromEntries(Object.entries({ ...before, ...policy }).filter(([, value]) => value !== null));
}

/** The fields to send for the differences. */
function changed(terms: Terms, changes: object): Partial<Terms> {
  const names = new Set(Object.keys(changes).map((name) => (name === 'policy_overrides' ? 'policy' : name)));
  return Object.fromEntries(Object.entries(terms).filter(([name]) => names.has(name)));
}

async function findLicense({ client, pace }: ImportTools, organizationId: string, externalId: string) {
  const query = { organization_id: organizationId, external_id: externalId, limit: 1 };
  return (await pace.send(() => client.operator.listLicenses(query))).data[0];
}

/** Throws what issuing would refuse. */
async function requireFreeAliases(
  { client, pace }: ImportTools,
  row: LicenseRow,
  ownId: string | undefined,
): Promise<void> {
  for (const alias of row.key_aliases ?? []) {
    const [holder] = (await pace.send(() => client.operator.listLicenses({ key: alias, limit: 1 }))).data;
    if (holder !== undefined && holder.id !== ownId) {
      throw new RowRefused('key_aliases', `Another license has the key ${JSON.stringify(alias)}.`);
    }
  }
}
