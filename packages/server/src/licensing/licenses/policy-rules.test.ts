import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PolicyLevels, resolvePolicy } from './policy-rules.ts';

const SETTINGS = { heartbeatIntervalSeconds: 60, seatTimeoutSeconds: 180 };
const DEFAULTS = {
  activation: 'account',
  max_offline_seconds: 0,
  min_online_seats: 0,
  max_activations: 70,
  node_locked: false,
  heartbeat_interval: 60,
  session_timeout: 180,
} as const;
const FIELDS = Object.keys(DEFAULTS) as Array<keyof typeof DEFAULTS>;

const level = fc.record(
  {
    activation: fc.constantFrom('account' as const, 'key' as const),
    max_offline_seconds: fc.nat(1_000),
    min_online_seats: fc.nat(100),
    max_activations: fc.integer({ min: 1, max: 100 }),
    node_locked: fc.boolean(),
    heartbeat_interval: fc.integer({ min: 1, max: 1_000 }),
    session_timeout: fc.integer({ min: 1, max: 1_000 }),
  },
  { requiredKeys: [] },
);
const levels: fc.Arbitrary<PolicyLevels> = fc.record({ license: level, plan: level, product: level });

describe('a policy', () => {
  it('takes each field from the license, the plan, the product or the default, whichever sets it first', () => {
    fc.assert(
      fc.property(levels, (given) => {
        const policy = resolvePolicy(given, null, 7, SETTINGS);
        for (const field of FIELDS) {
          const set = [given.license, given.plan, given.product].filter((each) => each[field] !== undefined);
          const nearest = set.length === 0 ? DEFAULTS[field] : set[0]?.[field];
          const isCapped = field === 'max_activations' && policy.node_locked;
          expect(policy[field]).toBe(isCapped ? Math.min(Number(nearest), 7) : nearest);
        }
      }),
    );
  });

  it('allows a node-locked license one machine per seat, even if more are set', () => {
    const given = {
      license: { max_activations: 100 },
      plan: {},
      product: { activation: 'key', node_locked: true },
    } as const;
    expect(resolvePolicy(given, null, 7, SETTINGS).max_activations).toBe(7);
    expect(resolvePolicy({ ...given, license: { max_activations: 3 } }, null, 7, SETTINGS).max_activations).toBe(3);
    expect(resolvePolicy({ ...given, license: {} }, null, 7, SETTINGS).max_activations).toBe(7);
  });

  it('inherits a field again when the license no longer sets it', () => {
    fc.assert(
      fc.property(levels, fc.constantFrom(...FIELDS), (given, field) => {
        const { [field]: _removed, ...license } = given.license;
        const { node_locked } = field === 'node_locked' ? {} : given.license;
        // It also limits the number of machines.
        const others = node_locked === undefined ? {} : { node_locked };
        const policy = resolvePolicy({ ...given, license }, null, 7, SETTINGS);
        expect(policy[field]).toBe(resolvePolicy({ ...given, license: others }, null, 7, SETTINGS)[field]);
      }),
    );
  });

  it('has the users that the license allows, regardless of its plan and product', () => {
    fc.assert(
      fc.property(levels, fc.option(fc.array(fc.string())), (given, users) => {
        expect(resolvePolicy(given, users, 7, SETTINGS).allowed_users).toBe(users);
      }),
    );
  });
});
