import { ensureDefaultCatalogue } from '../../src/billing/index.ts';
import {
  operatorApplyCatalogue,
  operatorParseCatalogue,
  operatorShowCatalogue,
} from '../../src/operator/manage-catalogue.ts';
import type { TestApp } from '../harness/index.ts';
import type { RecordedApi } from './recorded-api.ts';

/** Reads a plan, and does with the catalogue what the operator's commands do. Afterwards it is unchanged. */
export async function usePlans(test: TestApp, api: RecordedApi, token: string): Promise<void> {
  const { body } = await api.get('/v1/plans?limit=1', token);
  await api.get(`/v1/plans/${body.data[0].id}`, token);
  await api.during('the catalogue is applied', async () => {
    await ensureDefaultCatalogue(test.database);
    const { yaml, catalogue } = await operatorShowCatalogue(test);
    const coupon = '[{ code: SEEDED, percent_off: 10, duration: once }]';
    const changed = yaml.replace(/^coupons: .*$/m, `coupons: ${coupon}`).replaceAll('name: Pro', 'name: Professional');
    const installation = { database: test.database, config: { heartbeatIntervalSeconds: 60, seatTimeoutSeconds: 180 } };
    await operatorApplyCatalogue(installation, operatorParseCatalogue(changed), false);
    await operatorApplyCatalogue(installation, catalogue, false);
  });
}
