import type { PlanFeatures, PlanRow } from './queries.ts';
import type { Plan } from './schemas.ts';

/** A plan as the API shows it: `contact_sales` is present only on the plan sold by contact (service.md "Plan"). */
export function presentPlan(row: PlanRow): Plan {
  const { id, name, description, price, currency, interval, features } = row;
  return {
    id,
    name,
    description,
    price,
    currency,
    interval,
    ...(row.contact_sales ? { contact_sales: true as const } : {}),
    features: presentFeatures(features),
  };
}

/** The features in the order of the documentation; the database does not preserve it. */
export function presentFeatures(features: PlanFeatures): PlanFeatures {
  const { seats, ai_assistance, cloud_workstations, priority_support, sso, audit_logs, dedicated_support } = features;
  return { seats, ai_assistance, cloud_workstations, priority_support, sso, audit_logs, dedicated_support };
}
