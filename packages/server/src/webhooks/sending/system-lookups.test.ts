import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SystemLookups } from './system-lookups.ts';

/** A system resolver that answers when the test tells it to. */
function createSystem() {
  const asked: string[] = [];
  const running = new Map<string, (addresses: string[]) => void>();
  const lookups = new SystemLookups((hostname) => {
    asked.push(hostname);
    const { promise, resolve } = Promise.withResolvers<string[]>();
    running.set(hostname, resolve);
    return promise;
  });
  const answer = async (hostname: string, addresses: string[] = []) => {
    running.get(hostname)?.(addresses);
    running.delete(hostname);
    await wait(0);
  };
  return { lookups, asked, running, answer };
}

const NEVER = new Promise<string[]>(() => undefined);
const soon = () => wait(20, []);

describe('a zone that answers late', () => {
  it('has one lookup at a time, so that another name is looked up immediately', async () => {
    const { lookups, asked, answer } = createSystem();
    for (let at = 0; at < 50; at += 1) {
      void lookups.find(`no-${at}.slow.test`, NEVER);
    }
    const found = lookups.find('db.internal', NEVER);
    expect(asked).toEqual(['no-0.slow.test', 'db.internal']);
    await answer('db.internal', ['10.0.0.1']);
    expect(await found).toEqual(['10.0.0.1']);
    expect(asked).toHaveLength(2);
  });

  it('waits for its turn behind the others, even if there are several such zones', async () => {
    const { lookups, asked, running, answer } = createSystem();
    for (let at = 0; at < 5; at += 1) {
      for (const zone of ['one.test', 'two.test', 'three.test']) {
        void lookups.find(`no-${at}.${zone}`, NEVER);
      }
    }
    void lookups.find('db.internal', NEVER);
    expect(running.size).toBe(2);
    await answer('no-0.one.test');
    await answer('no-0.two.test');
    expect(asked).toEqual(['no-0.one.test', 'no-0.two.test', 'no-0.three.test', 'db.internal']);
    expect(running.size).toBe(2);
  });

  it('fails only the requests that wait too long', async () => {
    const { lookups, asked, answer } = createSystem();
    const first = lookups.find('a.slow.test', soon());
    const second = lookups.find('b.slow.test', soon());
    expect(await Promise.all([first, second])).toEqual([[], []]);
    const patient = lookups.find('c.slow.test', NEVER);
    await answer('a.slow.test');
    expect(asked).toEqual(['a.slow.test', 'c.slow.test']);
    await answer('c.slow.test', ['93.184.216.34']);
    expect(await patient).toEqual(['93.184.216.34']);
  });
});

describe('a name', () => {
  it('already being looked up is not looked up again, even after its first request gave up', async () => {
    const { lookups, asked, answer } = createSystem();
    expect(await lookups.find('late.test', soon())).toEqual([]);
    const again = lookups.find('late.test', NEVER);
    const both = lookups.find('late.test', NEVER);
    await answer('late.test', ['93.184.216.34']);
    expect(await Promise.all([again, both])).toEqual([['93.184.216.34'], ['93.184.216.34']]);
    expect(asked).toEqual(['late.test']);
  });

  it('that is unknown, or cannot be looked up, is cached as such for a moment; one that is found is not cached', async () => {
    const asked: string[] = [];
    const lookups = new SystemLookups(async (hostname) => {
      asked.push(hostname);
      if (hostname === 'failing.test') {
        throw new Error('no');
      }
      return hostname === 'known.test' ? ['93.184.216.34'] : [];
    });
    for (const name of ['unknown.test', 'unknown.test', 'failing.test', 'failing.test', 'known.test', 'known.test']) {
      await lookups.find(name, NEVER);
    }
    expect(asked).toEqual(['unknown.test', 'failing.test', 'known.test', 'known.test']);
    // The cache is limited: a thousand later names evict the first.
    for (let at = 0; at < 1_000; at += 1) {
      await lookups.find(`no-${at}.test`, NEVER);
    }
    await lookups.find('unknown.test', NEVER);
    expect(asked.at(-1)).toBe('unknown.test');
  });
});
