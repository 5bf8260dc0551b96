import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultLimits } from './limits.ts';
import { type Reader, SlowReaders } from './slow-readers.ts';

class FakeReader implements Reader {
  waiting = 1;
  taken = 0;
  exempt = false;
  isCut = false;
  waitingBytes = () => this.waiting;
  takenBytes = () => this.taken;
  isExempt = () => this.exempt;
  cut = () => {
    this.isCut = true;
  };
}

describe('the watch for slow readers', () => {
  let slowReaders: SlowReaders;
  let reader: FakeReader;
  const limits = { ...defaultLimits, minReadBytesPerSecond: 1_000, readWindowMs: 30_000 };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    slowReaders = new SlowReaders(limits);
    reader = new FakeReader();
    slowReaders.watch(reader);
  });
  afterEach(() => {
    slowReaders.close();
    vi.useRealTimers();
  });

  /** A client that reads this much each second. */
  function read(bytesPerSecond: number, seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      reader.taken += bytesPerSecond;
      vi.advanceTimersByTime(1_000);
    }
  }

  it('disconnects a client that reads less than the minimum over the window', () => {
    read(900, 60);
    expect(reader.isCut).toBe(true);
  });

  it('keeps a client that reads at the minimum rate, however long it takes', () => {
    read(1_100, 3_600);
    expect(reader.isCut).toBe(false);
  });

  it('keeps a client that reads everything at the end of each window', () => {
    for (let round = 0; round < 20; round += 1) {
      read(0, 14);
      read(15_000, 2);
    }
    expect(reader.isCut).toBe(false);
  });

  it('ignores a connection with nothing to read', () => {
    reader.waiting = 0;
    read(0, 3_600);
    expect(reader.isCut).toBe(false);
  });

  it('starts over once everything has been read', () => {
    for (let round = 0; round < 10; round += 1) {
      reader.waiting = 1;
      read(0, 20);
      reader.waiting = 0;
      read(0, 10);
    }
    expect(reader.isCut).toBe(false);
  });

  it('keeps a response that is exempt from the minimum rate', () => {
    reader.exempt = true;
    read(0, 3_600);
    expect(reader.isCut).toBe(false);
  });

  it('does not count the time that the process itself was stalled', () => {
    read(0, 10);
    // The sweeps that were due during the stall run as a single one afterwards.
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_000);
    vi.advanceTimersByTime(5_000);
    now.mockRestore();
    expect(reader.isCut).toBe(false);
  });

  it('forgets closed connections', () => {
    slowReaders.unwatch(reader);
    read(0, 3_600);
    expect(reader.isCut).toBe(false);
  });
});
