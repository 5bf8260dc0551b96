import { describe, expect, it } from 'vitest';
import { ResourceMemory } from './resource-memory.ts';

describe('the memory of counted resources', () => {
  it('recalls the last entry and forgets on demand', () => {
    const memory = new ResourceMemory();
    memory.note('a', 'live');
    memory.note('a', 'ended');
    expect(memory.recall('a')).toBe('ended');
    memory.forget('a');
    expect(memory.recall('a')).toBeUndefined();
  });

  it('holds at most two generations, and the newest of them', () => {
    const memory = new ResourceMemory(100);
    for (let n = 0; n < 10_000; n += 1) {
      memory.note(`session ${n}`, 'live');
    }
    expect(memory.size).toBeLessThanOrEqual(200);
    expect(memory.recall('session 9999')).toBe('live');
    expect(memory.recall('session 0')).toBeUndefined();
  });
});
