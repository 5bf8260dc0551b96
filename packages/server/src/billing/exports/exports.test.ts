import { get, type IncomingMessage } from 'node:http';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { plantInvoice } from '../../../test/harness/plant-invoice.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';
import { Database } from '../../database/index.ts';

/** The number of batches read by all exports of this file. */
let batches = 0;

class CountingDatabase extends Database {
  override execute(...given: Parameters<Database['execute']>): ReturnType<Database['execute']> {
    batches += given[0].name.endsWith('_to_export') ? 1 : 0;
    return super.execute(...given);
  }
}

const it = createTest({ openDatabase: (...given) => new CountingDatabase(...given) })
  .extend('finance', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app, null, 'finance')).token)
  .extend('planted', { scope: 'file' }, async ({ app, admin }) => {
    const { organizationId } = admin;
    const buyer = { legal_name: null, address: null, tax_id: null, email: null };
    return [
      await plantInvoice(app, organizationId, {
        sequence: 1,
        created_at: new Date('2026-01-31T23:59:59.999Z'),
        buyer: { ...buyer, name: '=HYPERLINK("https://evil.example","Click")', legal_name: 'Acme, "Inc"' },
      }),
      await plantInvoice(app, organizationId, {
        sequence: 2,
        status: 'open',
        created_at: new Date('2026-02-01T00:00:00.000Z'),
        buyer: { ...buyer, name: 'Müller GmbH' },
      }),
    ];
  });

async function download(app: TestApp, token: string | undefined, path: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${app.api.baseUrl}/v1/operator/exports/${path}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const jsonOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('GET /v1/operator/exports/invoices', () => {
  it('200: is a CSV file with a header, oldest first, in which no name runs as a formula', async ({
    app,
    finance,
    planted,
  }) => {
    const { status, headers, text } = await download(app, finance, 'invoices');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="invoices-\d{4}-\d\d-\d\d\.csv"$/);
    const [header, first, second, end, ...more] = text.split('\r\n');
    expect(header).toMatch(/^id,number,status,organization_id,organization_name,/);
    expect(first).toContain(`${planted[0]?.id},ACME-000001,paid,`);
    expect(first).toContain(`,"'=HYPERLINK(""https://evil.example"",""Click"")","Acme, ""Inc""",`);
    expect(first).toContain(',usd,14500,0,,0,14500,0,14500,14500,2026-01-31T23:59:59.999Z,');
    expect(second).toContain(`${planted[1]?.id},ACME-000002,open,`);
    expect(second).toContain(',Müller GmbH,,,');
    expect([end, more]).toEqual(['', []]);
  });

  it('200: is JSON Lines on request, with the same columns', async ({ app, finance, planted }) => {
    const csv = await download(app, finance, 'invoices?format=csv');
    const { headers, text } = await download(app, finance, 'invoices?format=jsonl');
    expect(headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    const rows = jsonOf(text);
    expect(rows.map((row) => row.id)).toEqual(planted.map(({ id }) => id));
    expect(rows[0]).toMatchObject({
      organization_name: expect.stringMatching(/^=HYPERLINK/),
      total: 14_500,
      tax_id: null,
    });
    expect(Object.keys(rows[0]).join(',')).toBe(csv.text.split('\r\n')[0]);
  });

  it('200: is limited to a period, including its start but not its end', async ({ app, finance, planted }) => {
    const idsOf = async (query: string) =>
      jsonOf((await download(app, finance, `invoices?format=jsonl${query}`)).text).map((row) => row.id);
    const [first, second] = planted.map(({ id }) => id);
    expect(await idsOf('&to=2026-02-01')).toEqual([first]);
    expect(await idsOf('&from=2026-02-01')).toEqual([second]);
    expect(await idsOf('&from=2026-02-01T01:00:00%2B01:00&to=2026-02-02T00:00:00Z')).toEqual([second]);
    expect(await idsOf('&from=2030-01-01')).toEqual([]);
  });

  it('200: has only a header if there is nothing to export', async ({ app, finance }) => {
    const { status, text } = await download(app, finance, 'invoices?from=2030-01-01');
    expect([status, text.split('\r\n').length]).toEqual([200, 2]);
  });

  it('400 and 422: refuses unknown filters and formats', async ({ app, finance }) => {
    for (const query of [
      'format=xlsx',
      'from=yesterday',
      'from=2026-02-30',
      'from=2026-02-30T00:00:00Z',
      'to=2026-01-31T24:00:00Z',
      'to=1999-01-01',
      'status=paid',
      'from=2026',
    ]) {
      const { status, text } = await download(app, finance, `invoices?${query}`);
      expect([status, JSON.parse(text).error.code]).toEqual([400, 'invalid_request']);
    }
    const { status, text } = await download(app, finance, 'invoices?from=2026-02-01&to=2026-02-01');
    expect([status, JSON.parse(text).error.code]).toEqual([422, 'validation_failed']);
  });
});

describe('GET /v1/operator/exports/payments', () => {
  it('200: has each payment once, including orphaned ones, whatever the batch size', async ({
    app,
    admin,
    finance,
  }) => {
    await execute(app.database, PLANT_PAYMENTS, [admin.organizationId, 1_203]);
    await execute(app.database, PLANT_ORPHAN, [admin.organizationId]);
    const { status, text } = await download(app, finance, 'payments?format=jsonl');
    const rows = jsonOf(text);
    expect([status, rows.length, new Set(rows.map((row) => row.id)).size]).toEqual([200, 1_204, 1_204]);
    expect(rows.map((row) => row.created_at)).toEqual(rows.map((row) => row.created_at).toSorted());
    expect(rows.filter((row) => row.status === 'orphaned')).toMatchObject([{ orphaned_because: 'unexplained' }]);
  });

  it('reads no more than its client accepts, and stops when the client disconnects', async ({
    app,
    admin,
    finance,
  }) => {
    const rows = 60_000;
    await execute(app.database, PLANT_PAYMENTS, [admin.organizationId, rows]);
    const ended = app.requestLines.length;
    batches = 0;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${finance}` };
      get(`${app.api.baseUrl}/v1/operator/exports/payments`, { headers }, resolve).on('error', reject);
    });
    answer.pause();
    await expect.poll(() => batches).toBeGreaterThan(1);
    answer.destroy();
    await expect.poll(() => app.requestLines.length).toBeGreaterThan(ended);
    expect(batches).toBeLessThan(rows / 500);
  });
});

it.for(['invoices', 'payments'] as const)(
  '200, 401 and 403: the export of %s is for all staff, who can also list its rows',
  async (name, { app, admin }) => {
    for (const role of ['viewer', 'support'] as const) {
      const { token } = await makeOperatorToken(app, null, role);
      expect((await download(app, token, name)).status).toBe(200);
    }
    expect((await download(app, undefined, name)).status).toBe(401);
    expect(JSON.parse((await download(app, admin.accessToken, name)).text).error.code).toBe('insufficient_scope');
  },
);

it('an export contains nothing of the other environment', async ({ planted }) => {
  const sandbox = await startAppForTest({ environment: 'sandbox' });
  const { token } = await makeOperatorToken(sandbox, null, 'finance');
  const { text } = await download(sandbox, token, 'invoices?format=jsonl');
  expect([planted.length, text]).toEqual([2, '']);
});

const PLANT_PAYMENTS = `insert into payments (organization_id, id, subscription_id, purpose, intent, amount, currency,
    is_on_session, payment_method_id, method_ref, customer_ref, provider, status, created_at, settled_at)
  select $1, 'pay_' || lpad(($2::int * 10000000::bigint + n)::text, 26, '0'), 'sub_' || n, 'renewal', '{}', 1500, 'usd', false,
    'pm_1', 'ref', 'ref', 'test', 'declined', now() + n / 7 * interval '1 millisecond', now()
  from generate_series(1, $2::int) n`;

const PLANT_ORPHAN = `insert into orphaned_payments (organization_id, id, provider, provider_ref, amount, currency, reason,
    status, created_at, found_at)
  values ($1, 'pay_00000000000000000000000001', 'test', 'pi_1', 1500, 'usd', 'unexplained', 'orphaned', now(), now())`;
