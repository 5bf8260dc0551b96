import { maybeOne, statement } from '../../database/index.ts';
import type { FeatureValue, PolicyOverrides } from '../schemas.ts';

/** The features of a plan, as the API shows them (service.md "Plan"). */
export interface PlanFeatures {
  /** The most seats that one subscription can have. */
  seats: number | 'unlimited';
  ai_assistance: boolean;
  cloud_workstations: boolean;
  priority_support: boolean;
  sso: boolean;
  audit_logs: boolean;
  dedicated_support: boolean;
}

type Tier = 'free' | 'pro' | 'enterprise';

/** A plan as stored. */
export interface PlanRow {
  id: string;
  /** Its name in the catalogue file. */
  key: string;
  name: string;
  description: string;
  /** For one seat and one interval, in minor units; null if the plan is sold by contact. */
  price: number | null;
  currency: string;
  interval: 'month';
  contact_sales: boolean;
  tier: Tier;
  product: string;
  features: PlanFeatures;
  license_features: Record<string, FeatureValue>;
  /** The included quantity of each meter per period, by the meter's name. */
  included: Record<string, number>;
  grace_seconds: number;
  /** Null: the service's setting applies. */
  heartbeat_interval_seconds: number | null;
  session_timeout_seconds: number | null;
  /** What its licenses inherit, besides the two above. */
  policy: PolicyOverrides;
  /** No longer in the catalogue: it cannot be subscribed to, and existing subscriptions stay. */
  is_archived: boolean;
}

/** The columns of a PlanRow. */
export const PLAN_COLUMNS = `id, key, name, description, price, currency, interval, contact_sales, tier, product, features,
  license_features, included, grace_seconds, heartbeat_interval_seconds, session_timeout_seconds, policy,
  archived_at is not null as is_archived`;

/** A plan, archived or not. */
export const findPlan = statement({
  name: 'find_plan',
  parameters: { planId: 'text' },
  returns: maybeOne<PlanRow>(),
  sql: ({ planId }) => `select ${PLAN_COLUMNS} from plans where id = ${planId}`,
});

/**
 * The same for selling it: until the transaction ends, no catalogue that could change its price is applied, and one
 * applied afterwards sees the rows of this transaction and is refused. It is the weakest lock that conflicts with `for
 * update`; subscriptions also take it, by their foreign key.
 */
export const lockPlanForSale = statement({
  name: 'hold_plan',
  parameters: { planId: 'text' },
  returns: maybeOne<PlanRow>(),
  sql: ({ planId }) => `select ${PLAN_COLUMNS} from plans where id = ${planId} for key share`,
});

/** The most seats that one subscription to any plan can have. */
const MAX_QUANTITY = 10_000;

/** The most seats that one subscription to this plan can have. */
export function maxQuantityOf({ features }: Pick<PlanRow, 'features'>): number {
  return features.seats === 'unlimited' ? MAX_QUANTITY : Math.min(features.seats, MAX_QUANTITY);
}
