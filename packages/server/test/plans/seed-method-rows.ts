import { ago, id, organizationOf } from './seed-values.ts';

const METHODS = 60_000;

/** Cards that came and went, and what the test provider knows about them. One in ten still exists. */
export const SEED_OF_METHODS: readonly string[] = [
  `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4, exp_month, exp_year,
      is_default, customer_ref, created_at, removed_at)
    select ${organizationOf('n')}, ${id('pm', 'n')}, 'test', 'seeded_' || n, 'card', 'visa', '4242', 12, 2040, false,
      'cus', ${ago('n * 100')}, case when n % 10 <> 0 then ${ago('n * 50')} end
    from generate_series(0, ${METHODS - 1}) n`,
  `insert into test_cards (ref, card, brand, last4, exp_month, exp_year, customer_ref, is_named, detached_at, created_at)
    select 'seeded_' || n, 'pm_card_visa', 'visa', '4242', 12, 2040, 'cus_' || n % 5000, true, ${ago('n * 50')}, ${ago('n * 100')}
    from generate_series(0, ${METHODS - 1}) n`,
  `insert into test_charges (ref, attempt_id, customer_ref, card_ref, amount, currency, is_on_session, purpose, status,
      created_at)
    select 'seeded_' || n, 'seeded_' || n, 'cus_' || n % 5000, 'seeded_' || n, 100, 'usd', true, 'pay', 'succeeded', ${ago('n * 99')}
    from generate_series(0, ${METHODS - 1}) n`,
];
