import type { Plan, Subscription } from '@seathold/client';
import { describe, expect, it } from 'vitest';
import { changeOf, planChoices, readSeats } from '../src/subscriptions/change-rules.ts';

const PRO = { id: 'plan_pro', name: 'Pro', price: 2_900, currency: 'usd', interval: 'month' } as const;

const SUBSCRIPTION: Subscription = {
  id: 'sub_1',
  status: 'active',
  plan: PRO,
  quantity: 5,
  current_period_start: '2026-11-01T00:00:00.000Z',
  current_period_end: '2026-12-01T00:00:00.000Z',
  cancel_at_period_end: false,
  created_at: '2026-11-01T00:00:00.000Z',
  canceled_at: null,
  ended_at: null,
  coupon: null,
  latest_invoice_id: null,
  license_id: null,
  requires_action: false,
  pending_change: null,
};

describe('changeOf', () => {
  it('names the plan only if it changes', () => {
    expect(changeOf(SUBSCRIPTION, '8', PRO.id)).toEqual({ quantity: 8 });
    expect(changeOf(SUBSCRIPTION, '5', 'plan_team')).toEqual({ quantity: 5, plan_id: 'plan_team' });
  });

  it.each(['5', '', ' ', '0', '-1', '2.5', '10001', 'many'])('is undefined for "%s"', (typed) => {
    expect(changeOf(SUBSCRIPTION, typed, PRO.id)).toBeUndefined();
  });
});

describe('planChoices', () => {
  const features = {
    seats: 'unlimited',
    ai_assistance: false,
    cloud_workstations: false,
    priority_support: false,
    sso: false,
    audit_logs: false,
    dedicated_support: false,
  } as const;
  const plan = (more: Partial<Plan>): Plan => ({ ...PRO, description: '', features, ...more });

  it('start with the current plan, even if it is no longer on sale', () => {
    expect(planChoices(SUBSCRIPTION, []).map(({ id }) => id)).toEqual([PRO.id]);
  });

  it('leave out plans in other currencies, and plans sold through a contact', () => {
    const plans = [
      plan({}),
      plan({ id: 'plan_team' }),
      plan({ id: 'plan_euro', currency: 'eur' }),
      plan({ id: 'plan_large', price: null, contact_sales: true }),
    ];
    expect(planChoices(SUBSCRIPTION, plans).map(({ id }) => id)).toEqual([PRO.id, 'plan_team']);
  });
});

describe('readSeats', () => {
  it.each([
    [{ seats: 8 }, 8],
    [{ seats: '8' }, 8],
    [{}, undefined],
    [{ seats: '' }, undefined],
    [{ seats: -1 }, undefined],
    [{ seats: 1e9 }, undefined],
    [{ seats: [8, 9] }, undefined],
    [{ seats: '<script>' }, undefined],
  ])('reads %o as %s', (search, seats) => {
    expect(readSeats(search)).toBe(seats);
  });
});
