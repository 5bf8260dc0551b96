import type { Clock } from '../clock/index.ts';
import type { Config } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import type { EventDefinition, Outbox, Reaction } from '../events/index.ts';
import type { Route } from '../http/index.ts';
import { type Job, Nudge } from '../jobs/index.ts';
import type { Logger } from '../log/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { MasterKey } from '../security/index.ts';
import type { BillingTools } from './billing-tools.ts';
import { BILLING_EVENTS } from './events.ts';
import type { PaymentProvider } from './payment-provider/payment-provider.ts';

/** What this room is opened with. */
export interface BillingDeps {
  database: Queries;
  outbox: Outbox;
  mailer: Mailer;
  masterKey: MasterKey;
  log: Logger;
  clock: Clock;
  baseUrl: string;
  config: Pick<Config, 'dunningDays' | 'seller'>;
  provider: PaymentProvider | undefined;
}

/** The room, opened. */
export interface Billing {
  routes: Route[];
  jobs: Job[];
  events: readonly EventDefinition[];
  reactions: Reaction[];
}

/** Opens the room for one environment. */
export function openBilling(deps: BillingDeps): Billing {
  const tools: BillingTools = { ...deps, settings: deps.config, due: new Nudge() };
  void tools;
  return { routes: [], jobs: [], events: BILLING_EVENTS, reactions: [] };
}
