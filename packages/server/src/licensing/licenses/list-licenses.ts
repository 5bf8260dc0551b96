import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import type { LicenseResource } from '../schemas.ts';
import { LICENSE_LIST } from './license-list.ts';
import { presentListedLicense } from './present-license.ts';

/** A page of the organization's licenses. */
export async function listLicenses(context: AuthorizedContext, page: PageRequest): Promise<ListPage<LicenseResource>> {
  const { organizationId, clockOffsetMs } = context.principal;
  return LICENSE_LIST.getPage(context.database, page, { organizationId, clockOffsetMs }, presentListedLicense);
}
