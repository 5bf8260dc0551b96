import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { findLicense, type ListedLicenseRow } from './queries.ts';

/** A license of the caller's organization. Throws not_found. */
export async function requireLicense(
  { database, principal }: Pick<AuthorizedContext, 'database' | 'principal'>,
  id: string,
): Promise<ListedLicenseRow> {
  const { organizationId, clockOffsetMs } = principal;
  const license = await findLicense(database, { organizationId, clockOffsetMs, id });
  if (license === undefined) {
    throw notFound('license');
  }
  return license;
}
