import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { requireLicense } from '../licenses/require-license.ts';
import type { RefusalResource } from '../schemas.ts';
import { findNames } from '../sessions/find-names.ts';
import { presentUser } from '../sessions/present-session.ts';
import { presentRefusal } from './present-refusal.ts';
import { REFUSAL_LIST } from './refusal-list.ts';

/** A page of the refused acquires of a license. */
export async function listRefusals(
  context: AuthorizedContext,
  licenseId: string,
  page: PageRequest,
): Promise<ListPage<RefusalResource>> {
  await requireLicense(context, licenseId);
  const values = { organizationId: context.principal.organizationId, licenseId };
  const { items, next } = await REFUSAL_LIST.getPage(context.database, page, values, (row) => row);
  const names = await findNames(context, items);
  return { items: items.map((row) => ({ ...presentRefusal(row), ...presentUser(row.user_id, names) })), next };
}
