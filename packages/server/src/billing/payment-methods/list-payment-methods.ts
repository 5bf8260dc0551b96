import type { Static } from 'typebox';
import { type AuthorizedContext, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import { presentMethod } from './present-method.ts';
import { listMethods } from './queries.ts';
import type { PaymentMethod } from './schemas.ts';

/** A page of the organization's payment methods. */
export async function listPaymentMethods(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<Static<typeof PaymentMethod>>> {
  const rows = await listMethods(database, principal.organizationId, page);
  return toPage(rows, page, (row) => ({ value: row.created_at.toISOString(), id: row.id }), presentMethod);
}
