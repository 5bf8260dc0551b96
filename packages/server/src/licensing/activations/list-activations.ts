import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { requireLicense } from '../licenses/require-license.ts';
import { ACTIVATION_LIST } from './activation-list.ts';
import { presentActivation } from './present-activation.ts';

/** A page of the machines that a license is activated on. Throws not_found. */
export async function listActivations(
  context: AuthorizedContext,
  licenseId: string,
  page: PageRequest,
): Promise<ListPage<unknown>> {
  await requireLicense(context, licenseId);
  const { organizationId } = context.principal;
  return ACTIVATION_LIST.getPage(context.database, page, { organizationId, licenseId }, presentActivation);
}
