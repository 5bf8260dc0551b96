import { describe, expect, it } from 'vitest';
import { LoginThrottle, pauseBefore } from './login-throttle.ts';

function createPace(pause: (ms: number) => Promise<void> = () => Promise.resolve()) {
  const clock = { now: 0, nowMs: () => clock.now };
  const pauses: number[] = [];
  const throttle = new LoginThrottle({
    clock,
    pause: (ms) => {
      pauses.push(ms);
      return pause(ms);
    },
    overflow: () => new Error('too many'),
  });
  const enter = async (email: string, times: number) => {
    for (let attempt = 0; attempt < times; attempt += 1) {
      await throttle.enter(email);
    }
  };
  return { throttle, clock, pauses, enter };
}

describe('LoginThrottle', () => {
  it('delays attempts after the fifth by 250 ms, doubling up to 2 s', async () => {
    const { enter, pauses } = createPace();
    await enter('ada@example.com', 10);
    expect(pauses).toEqual([250, 500, 1000, 2000, 2000]);
    expect([1, 5, 6, 1_000].map(pauseBefore)).toEqual([0, 0, 250, 2000]);
  });

  it('counts attempts at their start, so that simultaneous attempts wait as long as successive ones', async () => {
    const { throttle, pauses } = createPace();
    await Promise.all(Array.from({ length: 50 }, () => throttle.enter('ada@example.com')));
    expect(pauses).toHaveLength(45);
  });

  it('counts each address separately, and forgets an address after a login', async () => {
    const { throttle, enter, pauses } = createPace();
    await enter('ada@example.com', 5);
    await enter('grace@example.com', 5);
    throttle.forget('ada@example.com');
    await enter('ada@example.com', 5);
    expect(pauses).toEqual([]);
    await enter('grace@example.com', 1);
    expect(pauses).toEqual([250]);
  });

  it('hides how long counting a failure takes, and reports counting errors', async () => {
    const { throttle, pauses } = createPace();
    await throttle.hide(Promise.resolve());
    expect(pauses).toEqual([50]);
    await expect(throttle.hide(Promise.reject(new Error('the database is away')))).rejects.toThrow('away');
  });

  it('forgets an address 15 minutes after its last attempt', async () => {
    const { clock, enter, pauses } = createPace();
    await enter('ada@example.com', 6);
    clock.now = 15 * 60_000 - 1;
    await enter('ada@example.com', 1);
    expect(pauses).toEqual([250, 500]);
    clock.now += 15 * 60_000;
    await enter('ada@example.com', 1);
    expect(pauses).toEqual([250, 500]);
  });

  it('remembers 10,000 addresses and drops the least recently tried', async () => {
    const { enter, pauses } = createPace();
    await enter('first@example.com', 5);
    await enter('second@example.com', 5);
    await enter('first@example.com', 1);
    for (let other = 0; other < 9_999; other += 1) {
      await enter(`${other}@example.com`, 1);
    }
    await enter('first@example.com', 1);
    await enter('second@example.com', 1);
    expect(pauses).toEqual([250, 500]);
  });

  it('lets at most 200 attempts wait, and accepts more once they are done', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { throttle, enter } = createPace(() => gate);
    await enter('ada@example.com', 5);
    const waiting = Array.from({ length: 200 }, () => throttle.enter('ada@example.com'));
    await expect(throttle.enter('ada@example.com')).rejects.toThrow('too many');
    await throttle.enter('grace@example.com');
    release();
    await Promise.all(waiting);
    await throttle.enter('ada@example.com');
  });
});
