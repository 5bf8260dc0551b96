import { loadConfig } from '../../src/config/index.ts';
import { operatorReconcilePayments, operatorResolvePayment } from '../../src/operator/manage-payments.ts';
import { execute, type TestApp } from '../harness/index.ts';
import type { StatementRecorder } from './record-statements.ts';

const TWO_HOURS_MS = 7_200_000;

/** Compares two hours of payments with the test provider's, like the operator's command, and resolves an orphan. */
export async function usePayments(test: TestApp, recorder: StatementRecorder): Promise<void> {
  const { databaseUrl, database, masterKey } = test;
  const { config } = loadConfig({ DATABASE_URL: `${databaseUrl}_production`, SANDBOX_DATABASE_URL: databaseUrl });
  if (config === undefined) {
    throw new Error('the settings are wrong');
  }
  const installation = { config, database, masterKey, close: async () => undefined };
  const since = new Date(Date.now() - TWO_HOURS_MS).toISOString();
  await recorder.during('seathold payments reconcile', () => operatorReconcilePayments(installation, 'sandbox', since));
  const [orphan] = await execute<{ id: string }>(
    database,
    "select id from orphaned_payments where status = 'orphaned' order by id limit 1",
  );
  await recorder.during('seathold payments resolve', () =>
    operatorResolvePayment(installation, 'sandbox', orphan?.id ?? '', 'refunded'),
  );
}
