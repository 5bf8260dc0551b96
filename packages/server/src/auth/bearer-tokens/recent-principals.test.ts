import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecalledPrincipal } from '../../http/index.ts';
import { RecentPrincipals } from './recent-principals.ts';

const ADA: RecalledPrincipal = {
  principal: {
    userId: 'usr_1',
    organizationId: 'org_1',
    role: 'member',
    tokenKind: 'session',
    tokenSourceId: 'login_1',
    scopes: 'all',
    clockOffsetMs: 0,
    tier: 'free',
  },
  tokenHash: Buffer.alloc(32),
};

describe('recent principals', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are forgotten within five seconds, even if recalled often, and immediately after a pause', () => {
    const memory = new RecentPrincipals();
    memory.note('a', ADA);
    for (let second = 0; second < 6; second += 1) {
      vi.advanceTimersByTime(1_000);
      memory.recall('a');
    }
    expect(memory.recall('a')).toBeUndefined();
    memory.note('a', ADA);
    expect(memory.recall('a')).toBe(ADA);
    vi.advanceTimersByTime(60_000);
    expect(memory.recall('a')).toBeUndefined();
  });

  it('are forgotten immediately when the token turns out to be invalid', () => {
    const memory = new RecentPrincipals();
    memory.note('a', ADA);
    memory.note('a', undefined);
    expect(memory.recall('a')).toBeUndefined();
  });

  it('are limited in number', () => {
    const memory = new RecentPrincipals();
    for (let n = 0; n < 200_000; n += 1) {
      memory.note(String(n), ADA);
    }
    const kept = Array.from({ length: 200_000 }, (_, n) => memory.recall(String(n))).filter(
      (each) => each !== undefined,
    );
    expect(kept.length).toBeLessThanOrEqual(100_000);
  });
});
