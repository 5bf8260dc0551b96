import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimerQueue } from './timer-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a timer queue', () => {
  it('makes each call at its own time, no earlier, with one timer', () => {
    const queue = new TimerQueue(100);
    const called: string[] = [];
    queue.start(() => called.push('first'));
    vi.advanceTimersByTime(30);
    queue.start(() => called.push('second'));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(69);
    expect(called).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['first']);
    vi.advanceTimersByTime(29);
    expect(called).toEqual(['first']);
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['first', 'second']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never makes a call that was stopped, and begins again when it was empty', () => {
    const queue = new TimerQueue(100);
    const called: string[] = [];
    queue.stop(queue.start(() => called.push('stopped')));
    vi.advanceTimersByTime(50);
    queue.start(() => called.push('later'));
    vi.advanceTimersByTime(99);
    expect(called).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['later']);
    vi.advanceTimersByTime(1_000);
    queue.start(() => called.push('again'));
    vi.advanceTimersByTime(100);
    expect(called).toEqual(['later', 'again']);
  });
});
