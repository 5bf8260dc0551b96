import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { findLicenseByTypedKey } from '../licenses/key-aliases.ts';
import type { LicensingSettings } from '../licensing-tools.ts';
import { boundsOf, OPERATOR_LICENSE_LIST, OPERATOR_LICENSES_BY_EXPIRY } from './operator-license-list.ts';
import { presentOperatorLicense } from './present-operator-license.ts';
import { findOperatorLicense, type OperatorLicenseRow } from './queries.ts';

/** The licenses of all organizations. A key may be typed in any form, and may be an alias. */
export async function listOperatorLicenses(
  { database }: AuthorizedContext,
  settings: LicensingSettings,
  page: PageRequest,
): Promise<ListPage<unknown>> {
  const { key: typed } = page.filters;
  const key = typed === undefined ? undefined : await findOwnKey(database, typed);
  const request = key === undefined ? page : { ...page, filters: { ...page.filters, key } };
  const bounds = boundsOf(request);
  const present = (row: OperatorLicenseRow) => presentOperatorLicense(row, settings);
  return bounds === undefined
    ? OPERATOR_LICENSE_LIST.getPage(database, request, {}, present)
    : OPERATOR_LICENSES_BY_EXPIRY.getPage(database, request, bounds, present);
}

async function findOwnKey(database: Queries, typed: string): Promise<string | undefined> {
  const place = await findLicenseByTypedKey(database, typed);
  return place === undefined ? undefined : (await findOperatorLicense(database, { id: place.id }))?.key;
}
