import { describe, expect, it } from 'vitest';
import { connectionsOf, connectionsOfAll } from './connections.ts';

describe('the database connections', () => {
  it('of all request processes are at most those of one process, and fewer per process the more there are', () => {
    expect([2, 3, 4, 12, 64].map((count) => connectionsOf('production', count).requests)).toEqual([16, 16, 12, 4, 4]);
    expect([2, 3, 4, 12, 64].map((count) => connectionsOf('sandbox', count).requests)).toEqual([8, 8, 6, 2, 2]);
  });

  it('of all processes fit into the embedded PostgreSQL', () => {
    expect(connectionsOfAll(1)).toBe(100);
    for (let count = 2; count <= 64; count += 1) {
      const [production, sandbox] = [connectionsOf('production', count), connectionsOf('sandbox', count)];
      const each = production.requests + production.deliveries + sandbox.requests + sandbox.deliveries;
      expect(connectionsOfAll(count)).toBeGreaterThanOrEqual(34 + count * each);
    }
  });
});
