import type { TestApp } from '../harness/index.ts';
import { makeStaff } from '../harness/staff.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import type { Supply } from './supply.ts';

/** What the vendor's routes need to succeed. */
export const OPERATOR_SUPPLIES: Readonly<Record<string, (test: TestApp) => Promise<Supply>>> = {
  listOperatorPayments: asOperator,
  listOperatorSubscriptions: asOperator,
  listOperatorInvoices: asOperator,
  listOperatorAuditLog: asOperator,
  listOperatorLicenses: asOperator,
  exportInvoices: asOperator,
  exportPayments: asOperator,
  getOperatorCatalog: asOperator,
  // The current catalogue, because the other operations continue to buy from it.
  replaceOperatorCatalog: async (test) => {
    const supply = await asOperator(test);
    return { ...supply, members: (await test.api.get('/v1/operator/catalog', supply.token)).body.data };
  },
  getOverview: asOperator,
  listProducts: asOperator,
  getProduct: async (test) => ({ ...(await asOperator(test)), path: { key: TERMS.product } }),
  // A new product: the operations on licenses and the catalogue continue to use the others.
  replaceProduct: async (test) => ({
    ...(await asOperator(test)),
    path: { key: 'fuzzed' },
    members: { name: 'Fuzzed', features: { projects: { type: 'number', name: 'Projects' } }, policy: {} },
  }),
  createOperatorCredit: async (test) => ({
    ...(await asOperator(test)),
    members: {
      organization_id: (await test.register()).organizationId,
      amount: 100,
      currency: 'usd',
      reason: 'An outage',
    },
  }),
  listOperatedOrganizations: asOperator,
  createOperatedOrganization: async (test) => ({
    ...(await asOperator(test)),
    members: { name: 'Acme', admin_email: (await test.register()).email, billing_details: null, ...ANNOTATIONS },
  }),
  deleteOperatedOrganization: async (test) => {
    const supply = await onOrganization(test);
    const { name } = (await test.api.get(`/v1/operator/organizations/${supply.path.id}`, supply.token)).body.data;
    return { ...supply, members: { confirm: name } };
  },
  getOperatedOrganization: onOrganization,
  changeOperatedOrganization: onOrganization,
  issueOperatorLicense: async (test) => ({
    ...(await asOperator(test)),
    members: { organization_id: (await test.register()).organizationId, ...TERMS },
  }),
  getOperatorLicense: onLicense,
  changeOperatorLicense: onLicense,
  suspendOperatorLicense: onLicense,
  reinstateOperatorLicense: async (test) => {
    const supply = await onLicense(test);
    await test.api.post(`/v1/operator/licenses/${supply.path.license_id}/suspend`, supply.token, {
      reason: 'Not paid',
    });
    return supply;
  },
  revokeOperatorLicense: onLicense,
  listOperatedUsers: asOperator,
  getOperatedUser: onUser,
  unlockOperatedUser: onUser,
  disableTwoFactorOfOperatedUser: onUser,
  listStaff: asOperator,
  addStaffMember: async (test) => ({
    ...(await asOperator(test)),
    members: { email: (await test.register()).email, role: 'viewer' },
  }),
  changeStaffRole: onColleague,
  removeStaffMember: onColleague,
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

const ANNOTATIONS = { notes: 'Called', external_id: null, metadata: {} };

const TERMS = {
  product: 'seathold-demo',
  max_seats: 2,
  features: {},
  expires_at: null,
  external_id: null,
  metadata: {},
  policy: {},
};

async function onOrganization(test: TestApp) {
  const members = { status: 'suspended', reason: 'Shares its keys', ...ANNOTATIONS };
  return { ...(await asOperator(test)), path: { id: (await test.register()).organizationId }, members };
}

async function onUser(test: TestApp) {
  return { ...(await asOperator(test)), path: { user_id: (await test.register()).userId } };
}

async function onLicense(test: TestApp) {
  const { id } = await test.issueLicense((await test.register()).organizationId, { product: TERMS.product });
  return { ...(await asOperator(test)), path: { license_id: id }, members: { ...TERMS, reason: 'Not paid' } };
}

/** There is another owner, so this one can be removed. */
async function onColleague(test: TestApp) {
  const { token } = await asOperator(test);
  const [owner, colleague] = [await test.register(), await test.register()];
  await makeStaff(test, owner, 'owner');
  await makeStaff(test, colleague, 'viewer');
  return { token, path: { user_id: colleague.userId }, members: { role: 'support' } };
}

async function asOperator(test: TestApp): Promise<Supply & { token: string }> {
  return { token: (await makeOperatorToken(test)).token };
}
