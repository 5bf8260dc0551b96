import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { execute, startAppForTest } from '../harness/index.ts';
import { scaled } from './scale.ts';

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const MACHINES = scaled(100, 3_000);
const TIMEOUT_SECONDS = 2;

it('a machine that comes back in the millisecond of its timeout gets its old seat or a new one', async () => {
  const test = await startAppForTest();
  const ada = await test.register();
  const returning: Array<Promise<number>> = [];
  for (let number = 0; number < MACHINES; number += 1) {
    const license = await test.issueLicense(ada.organizationId, {
      maxSeats: 1 + (number % 2),
      heartbeatIntervalSeconds: 1,
      sessionTimeoutSeconds: TIMEOUT_SECONDS,
    });
    const body = { license_key: license.key, hardware_id: machine() };
    await test.api.post('/v1/licenses/acquire', ada.accessToken, body);
    const [row] = await execute<{ deadline_ms: number }>(
      test.database,
      `select (extract(epoch from deadline) * 1000)::float8 as deadline_ms from seat_slots
         where license_id = $1 and session_id is not null`,
      [license.id],
    );
    const comeBack = async () => {
      // Sent earlier by about the time that the request takes to reach the decision.
      const at = (row?.deadline_ms ?? 0) - Math.random() * 4;
      await sleep(Math.max(0, at - Date.now()));
      return (await test.api.post('/v1/licenses/acquire', ada.accessToken, body)).status;
    };
    returning.push(comeBack());
  }
  const statuses = await Promise.all(returning);
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
});

it('more acquires with an Idempotency-Key than there are database connections all get an answer', async () => {
  // Each holds a connection for its transaction, and the first acquire in a database finds no signing key yet.
  const test = await startAppForTest();
  const ada = await test.register();
  const license = await test.issueLicense(ada.organizationId, { maxSeats: 100 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      test.api.post(
        '/v1/licenses/acquire',
        ada.accessToken,
        { license_key: license.key, hardware_id: machine() },
        { 'idempotency-key': randomBytes(8).toString('hex') },
      ),
    ),
  );
  expect(answers.filter((answer) => answer.status !== 201).map((answer) => answer.body)).toEqual([]);
  const keys = await execute(test.database, 'select id from license_signing_keys');
  expect(keys).toHaveLength(1);
  const grants = new Set(answers.map((answer) => answer.body.data.session_id));
  expect(grants.size).toBe(40);
});
