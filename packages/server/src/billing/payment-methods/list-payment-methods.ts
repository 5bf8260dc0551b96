import type { Static } from 'typebox';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import type { PaymentMethod } from '../schemas.ts';
import { PAYMENT_METHOD_LIST } from './payment-method-list.ts';
import { presentMethod } from './queries.ts';

/** A page of the organization's payment methods. */
export async function listPaymentMethods(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<Static<typeof PaymentMethod>>> {
  const { organizationId } = principal;
  return PAYMENT_METHOD_LIST.getPage(database, page, { organizationId }, presentMethod);
}
