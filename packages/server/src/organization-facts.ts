import { listActivityOfOrganizations } from './auth/index.ts';
import { listCreditOfOrganizations, listOrganizationsOfInvoice, listPlansOfOrganizations } from './billing/index.ts';
import type { Queries } from './database/index.ts';
import { findLicenseByTypedKey, listSeatsOfOrganizations } from './licensing/index.ts';

/** The facts in the vendor's list of organizations that come from higher rooms. */
export const ORGANIZATION_FACTS = {
  findOrganizationsByReference,
  listSeats: listSeatsOfOrganizations,
  listPlans: listPlansOfOrganizations,
  listCredit: listCreditOfOrganizations,
  listActivity: listActivityOfOrganizations,
};

async function findOrganizationsByReference(database: Queries, text: string): Promise<string[]> {
  const license = await findLicenseByTypedKey(database, text);
  const invoices = await listOrganizationsOfInvoice(database, { number: text.toUpperCase() });
  const ids = invoices.map((row) => row.organization_id);
  return license === undefined ? ids : [...new Set([license.organization_id, ...ids])];
}
