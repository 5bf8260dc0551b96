import pg from 'pg';
import { expect, it } from 'vitest';
import { listStatements } from '../../src/database/index.ts';
import { startTestApp } from '../harness/index.ts';
import { findPlanFaults, type PlanNode } from './judge-plan.ts';

const SEATS = 10_000;
/** The statements of acquiring, heartbeats, releasing and the reaper. */
const OF_SEATS = [
  'list_claimable_slots',
  'list_session_statuses',
  'update_free_slots_heard',
  'update_heartbeats',
  'update_live_slots_heard',
  'update_slots_due_again',
  'update_slots_ended',
  'update_slots_taken',
];

it('only the requested seats are looked up, even where reading all of them seems cheap', async () => {
  const test = await startTestApp();
  const ada = await test.register();
  await test.issueLicense(ada.organizationId, { maxSeats: SEATS });
  const client = new pg.Client({ connectionString: test.databaseUrl });
  await client.connect();
  await client.query(
    `update seat_slots set session_id = 'ses_' || slot, user_id = 'user', hardware_id = 'hw_' || slot, started_at = now(),
      last_heartbeat = now(), deadline = now() + interval '1 hour', reap_at = now() + interval '1 hour' where slot <= $1`,
    [SEATS / 2],
  );
  await client.query('vacuum analyze seat_slots');
  const statements = listStatements().filter(({ name }) => OF_SEATS.includes(name));
  const faults: string[] = [];
  for (const { name, text } of statements) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`);
    const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
    const found = findPlanFaults(plan, (table) => (table === 'seat_slots' ? SEATS : 0), SEATS);
    faults.push(...found.map((fault) => `${name} ${fault}`));
  }
  await client.end();
  await test.close();
  expect(statements).toHaveLength(OF_SEATS.length);
  expect(faults).toEqual([]);
});
