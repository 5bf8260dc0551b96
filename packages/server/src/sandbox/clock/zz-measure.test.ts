import { randomBytes } from 'node:crypto';
import { it } from 'vitest';
import { execute, openAppForTest } from '../../../test/harness/index.ts';
import { plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { plantEndpoint } from '../../../test/harness/webhook-world.ts';
import { newId } from '../../ids/index.ts';

for (const [retries, steps] of [[0, 200], [5000, 200], [5000, 1000]] as const)
it(`m${retries} ${steps}`, async () => {
  const test = await openAppForTest({ environment: 'sandbox', hasInventedEvents: true });
  const ada = await test.register();
  const endpoint = await plantEndpoint(test, ada.organizationId, 'https://localhost:9/x', ['subscription.expired']);
  if (retries > 0) await plantDeliveries(test, endpoint, { status: 'pending', count: retries, dueInSeconds: 86_400 });
  const license = await test.issueLicense(ada.organizationId, { maxSeats: steps });
  const slots = Array.from({ length: steps }, (_, n) => n + 1);
  await execute(test.database, `update seat_slots s set session_id = g.session_id, user_id = $2, hardware_id = g.hardware_id, started_at = n.t,
        last_heartbeat = n.t, deadline = n.t + g.seconds * interval '1 second', token_issued_at = n.t,
        reap_at = n.t + g.seconds * interval '1 second', token_expires_at = n.t
      from (select clock_timestamp()::timestamptz(3) as t) n,
        unnest($3::int[], $4::text[], $5::text[], $6::int[]) as g (slot, session_id, hardware_id, seconds)
      where s.license_id = $1 and s.slot = g.slot`,
    [license.id, ada.userId, slots, slots.map(() => newId('seatSession')), slots.map(() => `hw_${randomBytes(16).toString('hex')}`), slots.map((s) => 300 + s * 20)]);
  await execute(test.database, 'update license_seat_counts set taken = $2 where license_id = $1', [license.id, steps]);
  const t = performance.now();
  const moved = await test.api.post('/v1/sandbox/clock/advance', ada.accessToken, { seconds: 300 + steps * 20 + 100 });
  console.log('MEASURED', retries, steps, moved.status, moved.body.data?.count, moved.body.error, Math.round(performance.now() - t), 'ms');
}, 400_000);
