import { describe, expect, it } from 'vitest';
import type { ClockRow, LicenseRow, SlotRow } from './queries.ts';
import { decideSeats, type SeatRequest } from './seat-rules.ts';

const LICENSE: LicenseRow = {
  id: 'lic_1',
  key: 'KEY',
  state: 'active',
  product: 'studio',
  max_seats: 2,
  features: {},
  created_at_ms: 0,
  expires_at_ms: 1_000_000,
  heartbeat_interval_seconds: null,
  session_timeout_seconds: null,
  allowed_users: null,
  taken: 2,
  over: 2,
  waiting: 0,
  changes: 0,
};
const CLOCK: ClockRow = { real_ms: 0, wall_ms: 0, service_ms: 0, away_ms: 0 };

function over(slot: number, userId: string): SlotRow {
  return {
    license_id: 'lic_1',
    slot,
    session_id: `old_${slot}`,
    user_id: userId,
    hardware_id: 'hw',
    started_at_ms: 0,
    last_heartbeat_ms: 0,
    deadline_ms: 0,
    project_id: null,
    offline_until_ms: null,
    token_expires_at_ms: null,
    is_over: true,
  };
}

function decide(slots: SlotRow[], users: string[]) {
  let made = 0;
  const requests: SeatRequest[] = users.map((userId) => ({ key: 'KEY', userId, hardwareId: 'hw', metadata: null }));
  return decideSeats(requests, {
    licenses: [LICENSE],
    clock: CLOCK,
    slots,
    offlineTerms: new Map(),
    activations: new Set(),
    lines: new Map(),
    newWaitId: () => 'wait_1',
    newSessionId: () => `new_${++made}`,
  });
}

describe('decideSeats', () => {
  it('grants a timed-out seat once if it is found both as free and as the machine’s own', () => {
    const decisions = decide([over(1, 'ada'), over(2, 'bob'), over(1, 'ada')], ['ada', 'eve', 'joe']);
    expect(decisions.map((each) => (each.kind === 'granted' ? each.slot : each.kind))).toEqual([1, 2, 'full']);
  });

  it('grants a remaining seat to a machine whose own seat went to another', () => {
    const decisions = decide([over(1, 'ada'), over(2, 'bob'), over(2, 'bob')], ['eve', 'bob', 'ada']);
    expect(decisions.map((each) => (each.kind === 'granted' ? each.slot : each.kind))).toEqual([1, 2, 'full']);
  });
});
