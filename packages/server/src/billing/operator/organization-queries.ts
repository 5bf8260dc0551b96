import { many, statement } from '../../database/index.ts';

/**
 * The plan of the best subscription of each of these organizations, by the rules of its tier; the oldest of equal ones.
 */
export const listPlansOfOrganizations = statement({
  name: 'list_plans_of_organizations',
  parameters: { organizationIds: 'text[]' },
  returns: many<{ organization_id: string; name: string }>(),
  sql: ({ organizationIds }) => `
    select distinct on (s.organization_id) s.organization_id, p.name
    from subscriptions s join plans p on p.id = s.plan_id
    where s.organization_id = any(${organizationIds}) and s.status in ('active', 'past_due')
    order by s.organization_id, array_position(array['enterprise', 'pro', 'free'], p.tier), s.created_at, s.id`,
});

/** The credit of these organizations, the largest of each one first. */
export const listCreditOfOrganizations = statement({
  name: 'list_credit_of_organizations',
  parameters: { organizationIds: 'text[]' },
  returns: many<{ organization_id: string; currency: string; balance: number }>(),
  sql: ({ organizationIds }) => `
    select organization_id, currency, balance from billing_credits
    where organization_id = any(${organizationIds}) and balance > 0
    order by organization_id, balance desc, currency`,
});

/** The organization with an invoice of this number. Invoice codes are unique, and so are numbers. */
export const listOrganizationsOfInvoice = statement({
  name: 'list_organizations_of_invoice',
  parameters: { number: 'text' },
  returns: many<{ organization_id: string }>(),
  sql: ({ number }) => `select organization_id from invoices where number = ${number} limit 100`,
});
