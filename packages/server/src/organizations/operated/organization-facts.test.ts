import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Queries } from '../../database/index.ts';
import { addKnownFacts } from './organization-facts.ts';

it('the facts are read one after the other, because a transaction has only one connection', async () => {
  let running = 0;
  const most: number[] = [];
  const read = async () => {
    running += 1;
    most.push(running);
    await setImmediate();
    running -= 1;
    return [];
  };
  const facts = {
    findOrganizationsByReference: read,
    listSeats: read,
    listPlans: read,
    listCredit: read,
    listActivity: read,
  };
  const database: Queries = {
    inTransaction: true,
    afterCommit: () => undefined,
    execute: () => Promise.reject(new Error('the facts are read by others')),
    transaction: (inner) => inner(database),
  };
  const [shown] = await addKnownFacts(database, facts, [{ id: 'org_1' }]);
  expect(most).toEqual([1, 1, 1, 1]);
  expect(shown).toEqual({
    id: 'org_1',
    seats: { included: 0, used: 0 },
    plan_name: null,
    balance: 0,
    balance_currency: null,
    last_active_at: null,
  });
});
