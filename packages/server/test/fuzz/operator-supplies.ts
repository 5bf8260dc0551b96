import type { TestApp } from '../harness/index.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import type { Supply } from './supply.ts';

/** What the vendor's routes need to succeed. */
export const OPERATOR_SUPPLIES: Readonly<Record<string, (test: TestApp) => Promise<Supply>>> = {
  listOperatorPayments: asOperator,
  listOperatorSubscriptions: asOperator,
  listOperatorInvoices: asOperator,
  listOperatorAuditLog: asOperator,
  listStaff: asOperator,
  listOperatorTokens: asOperator,
  listRefusals: asOperator,
  explainSeat: async (test) => {
    const { organizationId, userId } = await test.register();
    const license = await test.issueLicense(organizationId);
    return { ...(await asOperator(test)), fields: { user_id: userId, license_id: license.id } };
  },
  getRequestRecord: async (test) => {
    const { body } = await test.api.get('/v1/nowhere');
    await test.runJob('http.write-request-records');
    return { ...(await asOperator(test)), path: { request_id: body.meta.request_id } };
  },
  createOperatorToken: asOperator,
  revokeOperatorToken: async (test) => ({
    ...(await asOperator(test)),
    path: { id: (await makeOperatorToken(test)).id },
  }),
};

async function asOperator(test: TestApp): Promise<Supply> {
  return { token: (await makeOperatorToken(test)).token };
}
