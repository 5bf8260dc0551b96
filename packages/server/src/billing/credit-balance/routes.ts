import { ACCESS, defineRoute, type Route } from '../../http/index.ts';
import { getCreditBalance } from './get-credit-balance.ts';
import { CreditBalance } from './schemas.ts';

/** The endpoint at /v1/credit-balance. */
export function creditBalanceRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/credit-balance',
      operationId: 'getCreditBalance',
      tag: 'Invoices',
      summary: 'Get the credit balance',
      description:
        'Returns the credit of the organization. It comes from fewer seats, payments that arrived too late, and the vendor. The next invoices use it before anything is charged.',
      access: ACCESS.readBilling,
      status: 200,
      response: CreditBalance,
      errors: {},
      example: { data: { balances: [{ currency: 'usd', balance: 4_350 }] } },
      handle: async (context) => ({ data: await getCreditBalance(context) }),
    }),
  ];
}
