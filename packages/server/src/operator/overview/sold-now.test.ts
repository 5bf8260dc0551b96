import { describe, expect, vi } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { newId } from '../../ids/index.ts';
import { KEPT_MS, MANY, SoldNow } from './sold-now.ts';

const it = createTest();

describe('SoldNow', () => {
  it('counts a few licenses each time, and caches the counts of many for a while', async ({ app }) => {
    const now = Date.now();
    const sold = new SoldNow();
    const { seats: before } = await sold.count(app.database, now);
    const plant = (count: number) =>
      execute(
        app.database,
        `insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at, created_at, updated_at)
          select o.id, $1 || n, $1 || n, 'studio', 2, '{}', 'active', 'infinity', now(), now()
          from (select id from organizations limit 1) o, generate_series(1, $2::int) n`,
        [newId('license'), count],
      );
    await app.register('Ada');
    await plant(1);
    expect((await sold.count(app.database, now)).seats).toBe(before + 2);
    await plant(MANY);
    const many = before + 2 + 2 * MANY;
    expect((await sold.count(app.database, now)).seats).toBe(many);
    await plant(1);
    const queries = vi.spyOn(app.database, 'execute');
    expect((await sold.count(app.database, now + KEPT_MS - 1)).seats).toBe(many);
    expect(queries).not.toHaveBeenCalled();
    expect((await sold.count(app.database, now + KEPT_MS)).seats).toBe(many + 2);
  });
});
