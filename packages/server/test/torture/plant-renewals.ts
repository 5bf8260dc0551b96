import pg from 'pg';
import type { HttpsClient } from './https-client.ts';
import { signUp } from './world.ts';

/** What is planted. */
export interface Planting {
  /** The number of subscriptions in each organization. */
  sizes: readonly number[];
  dueInSeconds: number;
}

/**
 * Plants subscriptions that were bought a month before they are due, all at one instant. One is bought through the API,
 * and its rows and everything related are copied with other identifiers: every row is one that the service could have
 * written itself. Returns when they are due, in milliseconds since 1970.
 */
export async function plantRenewals(
  databaseUrl: string,
  client: HttpsClient,
  baseUrl: string,
  { sizes, dueInSeconds }: Planting,
): Promise<number> {
  const organizationId = await buyOne(client, baseUrl);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query('begin');
    await database.query(PLANTED, [sizes]);
    const { rows } = await database.query<Model>(READ_MODEL, [organizationId]);
    for (const copy of rows.flatMap((model) => copiesOf(model))) {
      await database.query(copy, [organizationId]);
    }
    const due = await database.query<{ due_at: Date }>(MAKE_DUE, [dueInSeconds]);
    for (const statement of FOLLOW_THE_PERIOD) {
      await database.query(statement);
    }
    await database.query('commit');
    await database.query('analyze');
    return due.rows[0]?.due_at.getTime() ?? 0;
  } finally {
    await database.end();
  }
}

const SEATS = 2;

/** Buys the subscription that is copied. Returns its organization. */
async function buyOne(client: HttpsClient, baseUrl: string): Promise<string> {
  const { token, organizationId } = await signUp(client, baseUrl, 'ada');
  const listed = await client.call('GET', `${baseUrl}/v1/plans`);
  const plans: Array<{ id: string; price: number | null }> = listed.kind === 'answer' ? listed.body.data : [];
  const plan = plans.find(({ price }) => price !== null && price > 0);
  const order = { plan_id: plan?.id, quantity: SEATS, payment_method_id: 'pm_card_visa' };
  const bought = await client.call('POST', `${baseUrl}/v1/subscriptions`, { token }, order);
  if (bought.kind !== 'answer' || bought.status !== 201) {
    throw new Error(`nothing can be bought: ${JSON.stringify(bought)}`);
  }
  return organizationId;
}

/** The identifiers of the purchase. */
interface Model {
  organization: string;
  subscription: string;
  license: string;
  license_key: string;
  invoice: string;
  invoice_number: string;
  payment: string;
  method: string;
  card: string;
}

const READ_MODEL = `select s.organization_id as organization, s.id as subscription, l.id as license, l.key as license_key,
    i.id as invoice, i.number as invoice_number, p.id as payment, m.id as method, m.provider_ref as card
  from subscriptions s join licenses l using (organization_id) join invoices i using (organization_id)
  join payments p using (organization_id) join payment_methods m using (organization_id) where s.organization_id = $1`;

const idOf = (prefix: string, number: string) => `'${prefix}_0' || lpad((${number})::text, 25, '0')`;

/** One row per subscription. `place` numbers the organizations. $1: how many each has. */
const PLANTED = `create temp table planted on commit drop as
  select row_number() over (order by place, k) as n, place, k as sequence, size, ${idOf('org', 'place')} as organization_id
  from unnest($1::int[]) with ordinality as s (size, place), generate_series(1, size) k`;

/** Texts and their replacements, which are SQL. */
type Replaced = ReadonlyArray<readonly [string, string]>;

function copiesOf(model: Model): string[] {
  const ofOrganization: Replaced = [
    [model.organization, 'p.organization_id'],
    [model.method, idOf('pm', 'p.place')],
    [model.card, `'pm_test_' || lpad(p.place::text, 32, '0')`],
  ];
  const ofSubscription: Replaced = [
    ...ofOrganization,
    [model.subscription, idOf('sub', 'p.n')],
    [model.license, idOf('lic', 'p.n')],
    [model.license_key, `'PLANT-' || lpad(p.n::text, 12, '0')`],
    [model.invoice, idOf('inv', 'p.n')],
    [model.invoice_number, `'CODE' || p.place || '-' || lpad(p.sequence::text, 6, '0')`],
    [model.payment, idOf('pay', 'p.n')],
  ];
  const copy = (
    replaced: Replaced,
    table: string,
    { owner = 'organization_id', changed = `'{}'::jsonb`, where = 'true' } = {},
  ) => {
    const text = replaced.reduce((inner, [old, fresh]) => `replace(${inner}, '${old}', ${fresh})`, 'to_jsonb(t)::text');
    return `insert into ${table} select r.* from ${table} t, planted p,
        jsonb_populate_record(null::${table}, (${text})::jsonb || ${changed}) r
      where t.${owner} = $1 and ${where} ${replaced === ofOrganization ? 'and p.sequence = 1' : ''}`;
  };
  const eventId = `jsonb_build_object('id', ${idOf('evt', 'p.n * 10 + length(t.type) % 10')})`;
  const ofCustomer = { owner: 'customer_ref', where: 'true' };
  const copies = [
    copy(ofOrganization, 'organizations', {
      owner: 'id',
      changed: `jsonb_build_object('slug', 'planted-' || p.place, 'billing_details',
        jsonb_build_object('email', 'buyer' || p.place || '@example.com'))`,
    }),
    copy(ofOrganization, 'billing_accounts', {
      changed: `jsonb_build_object('invoice_code', 'CODE' || p.place, 'last_invoice_number', p.size)`,
    }),
    copy(ofOrganization, 'payment_methods'),
    copy(ofOrganization, 'test_cards', ofCustomer),
    copy(ofOrganization, 'events', { changed: eventId, where: `t.type = 'payment_method.attached'` }),
    ...['subscriptions', 'licenses', 'license_seat_counts', 'seat_slots', 'payments'].map((table) =>
      copy(ofSubscription, table),
    ),
    copy(ofSubscription, 'invoices', { changed: `jsonb_build_object('sequence', p.sequence)` }),
    copy(ofSubscription, 'test_charges', ofCustomer),
    copy(ofSubscription, 'events', {
      changed: eventId,
      where: `t.type in ('subscription.created', 'invoice.created', 'invoice.paid')`,
    }),
  ];
  // The test provider derives a customer's name from the organization's ID.
  return copies.map((text) => text.replace('t.customer_ref = $1', `t.customer_ref = 'cus_test_' || $1`));
}

/** $1: in how many seconds. */
const MAKE_DUE = `with due as (
    select d.at, (d.at at time zone 'UTC' - interval '1 month') at time zone 'UTC' as anchor
    from (select date_trunc('second', clock_timestamp()) + $1 * interval '1 second' as at) d
  ), period as (
    select at, anchor, (anchor at time zone 'UTC' + interval '1 month') at time zone 'UTC' as ends_at from due
  )
  update subscriptions s set anchor = d.anchor, current_period_start = d.anchor, current_period_end = d.ends_at,
    next_action_at = d.at, period_accrued = period_billed * extract(epoch from d.ends_at - d.anchor),
    created_at = d.anchor, updated_at = d.anchor
  from period d where exists (select from planted p where p.organization_id = s.organization_id)
  returning d.at as due_at`;

const FOLLOW_THE_PERIOD = [
  `update invoices i set period_start = s.current_period_start, period_end = s.current_period_end
    from subscriptions s where s.organization_id = i.organization_id and s.id = i.subscription_id`,
  `update licenses l set expires_at = s.current_period_end + p.grace_seconds * interval '1 second'
    from subscriptions s join plans p on p.id = s.plan_id
    where s.organization_id = l.organization_id and s.id = l.subscription_id`,
];
