import { randomBytes } from 'node:crypto';
import { it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAppForTest } from '../harness/index.ts';
const hw = () => `hw_${randomBytes(16).toString('hex')}`;
it('pool', async () => {
  const t = await openAppForTest();
  const ada = await t.register();
  const lic = await t.issueLicense(ada.organizationId, { maxSeats: 200 });
  const go = () => t.api.post('/v1/licenses/acquire', ada.accessToken, { license_key: lic.key, hardware_id: hw() }, { 'idempotency-key': hw() });
  for (const round of [1, 2, 3]) {
    const at = Date.now();
    const all = await Promise.all(Array.from({ length: 40 }, go));
    const counts: Record<string, number> = {};
    for (const a of all) counts[a.status] = (counts[a.status] ?? 0) + 1;
    console.log(round, counts, Date.now() - at);
    await sleep(2500);
  }
}, 60000);
