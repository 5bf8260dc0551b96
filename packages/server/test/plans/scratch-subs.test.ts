import pg from 'pg';
import { it } from 'vitest';
import { execute, openTestApp } from '../harness/index.ts';
import { findPlanFaults } from './judge-plan.ts';
import { listRequests } from './list-requests.ts';
import { StatementRecorder } from './record-statements.ts';
import { RecordedApi } from './recorded-api.ts';
import { SEED_OF_BILLING } from './seed-billing-rows.ts';
import { SEED_OF_METHODS } from './seed-method-rows.ts';
import { SEED_OF_SALES } from './seed-sales-rows.ts';
import { useSubscriptions } from './use-subscriptions.ts';
it('x', { timeout: 500000 }, async () => {
  const test = await openTestApp({ environment: 'sandbox' });
  const ada = await test.register();
  const client = new pg.Client({ connectionString: test.databaseUrl });
  await client.connect();
  await client.query("set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'");
  const seed = [`insert into organizations (id, name, slug, clock_offset_ms, created_at, updated_at)
    select 'org_0' || lpad(n::text, 25, '0'), 'Organization ' || n, 'seeded-' || n, case when n < 3 then 3600000 else 0 end, clock_timestamp(), clock_timestamp()
    from generate_series(0, 399) n`, ...SEED_OF_BILLING, ...SEED_OF_METHODS, ...SEED_OF_SALES];
  for (const each of seed) { const t = Date.now(); await client.query(each.replaceAll(':organization', `'${ada.organizationId}'`).replaceAll(':user', `'${ada.userId}'`)); console.log(Date.now() - t, each.slice(0, 60)); }
  await client.query('analyze');
  const counted = await execute<{ relname: string; rows: number }>(test.database, "select relname, reltuples::float8 as rows from pg_class where relkind = 'r'");
  const rows = new Map(counted.map((row) => [row.relname, row.rows]));
  const recorder = new StatementRecorder();
  const api = new RecordedApi(test, recorder);
  try {
    for (const path of listRequests(test.app.routes.filter((r) => /subscr|invoices$|payment-m/.test(r.path)), {})) {
      const first = await api.get(path, ada.accessToken);
      const cursor = first.body.pagination.next_cursor;
      if (cursor !== null) await api.get(`${path}&cursor=${cursor}`, ada.accessToken);
    }
    await useSubscriptions(test, api, ada);
    for (const job of test.app.jobs) await recorder.during(`the job ${job.name}`, () => job.run());
  } catch (e) {
      console.log(String(e).slice(0, 200));
      console.log(await execute(test.database, "select id, status, period_index, anchor, current_period_end, next_action_at, pending_payment_id, clock_timestamp() from subscriptions where organization_id = $1 and updated_at > clock_timestamp() - interval '1 minute'", [ada.organizationId]));
      console.log(await execute(test.database, "select subscription_id, status, purpose, checks, decline_code, provider_ref, next_check_at, claimed_until, created_at from payments where organization_id = $1 and created_at > clock_timestamp() - interval '1 minute' order by created_at desc limit 9", [ada.organizationId]));
  } finally {
    console.log(test.logLines.filter((l) => l.includes('"err"')).slice(0, 3).map((l) => l.slice(0, 1500)));
  }
  const faults: string[] = [];
  for (const { text, values, cause } of recorder.statements.values()) {
    for (const q of [client.query(`explain (format json) ${text}`, [...values]), client.query(`explain (generic_plan, format json) ${text}`)]) {
      const plan = (await q).rows[0]['QUERY PLAN'][0].Plan;
      faults.push(...findPlanFaults(plan, (t) => rows.get(t) ?? 0, 2000).map((f) => `${cause}: ${f}\n${text}`));
    }
  }
  console.log(faults.join('\n\n'));
  recorder.stop();
  await client.end();
  await test.close();
});
