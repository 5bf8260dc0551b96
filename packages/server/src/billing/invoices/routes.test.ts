import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { plantInvoice } from '../../../test/harness/plant-invoice.ts';
import { readPdf } from '../../../test/harness/read-pdf.ts';
import type { InvoiceRow } from '../ledger/invoice-queries.ts';

const it = createTest({ settings: { SEATHOLD_SELLER: 'Seller & Söhne' } })
  .extend('eve', { scope: 'file' }, ({ app }) => app.register())
  /** Four of the admin's invoices, by number. The third is open. */
  .extend('planted', { scope: 'file' }, async ({ app, admin }) => {
    const planted: InvoiceRow[] = [];
    for (const [at, amount] of [300, 100, 400, 200].entries()) {
      planted.push(
        await plantInvoice(app, admin.organizationId, {
          sequence: at + 1,
          // Numbers and creation times need not agree to sort by either.
          created_at: new Date(Date.UTC(2026, 0, 10 - at)),
          status: at === 2 ? 'open' : 'paid',
          amount_due: amount,
        }),
      );
    }
    return planted;
  });

const UNKNOWN_ID = 'inv_01kagt2m8xf3q9wz5r7e6b4c1n';
const list = (app: TestApp, admin: Member, query = '', token: string | undefined = admin.accessToken) =>
  app.api.get(`/v1/invoices${query}`, token);
const numbersOf = async (app: TestApp, admin: Member, query: string) =>
  (await list(app, admin, query)).body.data.map(({ number }: { number: string }) => Number(number.slice(5)));

async function download(app: TestApp, admin: Member, id: string, token = admin.accessToken) {
  const answer = await fetch(`${app.api.baseUrl}/v1/invoices/${id}/pdf`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, headers: answer.headers, file: Buffer.from(await answer.arrayBuffer()) };
}

const pdfRows = (app: TestApp, id: string) =>
  execute(app.database, 'select 1 from invoice_pdfs where invoice_id = $1', [id]);

describe('GET /v1/invoices', () => {
  it('200: returns the invoices of the organization, newest first', async ({ app, admin, planted }) => {
    const answer = await list(app, admin);
    expect(answer.status).toBe(200);
    expect(answer.body.data.map((each: { id: string }) => each.id)).toEqual(planted.map(({ id }) => id));
    expect(answer.body.data[2]).toEqual({
      id: planted[2]?.id,
      number: 'ACME-000003',
      status: 'open',
      subscription_id: planted[2]?.subscription_id,
      period_start: '2026-01-31T12:00:00.000Z',
      period_end: '2026-02-28T12:00:00.000Z',
      subtotal: 400,
      discount: 0,
      coupon_code: null,
      tax: 0,
      tax_lines: [],
      total: 400,
      credit_applied: 0,
      amount_due: 400,
      amount_paid: 0,
      currency: 'usd',
      created_at: '2026-01-08T00:00:00.000Z',
      paid_at: null,
      closed_at: null,
      pdf_url: expect.stringMatching(`^https://.*/v1/invoices/${planted[2]?.id}/pdf$`),
      lines: [{ description: 'Pro, 1 seat', quantity: 1, unit_amount: 400, amount: 400 }],
    });
  });

  it('sorts by number in the order of issue, not alphabetically, and by amount', async ({ app, admin }) => {
    expect(await numbersOf(app, admin, '?sort=number')).toEqual([1, 2, 3, 4]);
    expect(await numbersOf(app, admin, '?sort=-number')).toEqual([4, 3, 2, 1]);
    expect(await numbersOf(app, admin, '?sort=amount_due')).toEqual([2, 4, 1, 3]);
    expect(await numbersOf(app, admin, '?sort=created_at')).toEqual([4, 3, 2, 1]);
  });

  it.for(['number', '-number', 'amount_due', '-created_at'])(
    'pages through everything, sorted by %s',
    async (sort, { app, admin }) => {
      const whole = await numbersOf(app, admin, `?sort=${sort}`);
      const walked: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await list(app, admin, `?sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
        walked.push(...body.data.map(({ number }: { number: string }) => Number(number.slice(5))));
        cursor = body.pagination.next_cursor;
      }
      expect(walked).toEqual(whole);
    },
  );

  it('filters by status, subscription and time', async ({ app, admin, planted }) => {
    expect(await numbersOf(app, admin, '?status=open')).toEqual([3]);
    expect(await numbersOf(app, admin, '?status=draft')).toEqual([]);
    expect(await numbersOf(app, admin, `?subscription_id=${planted[1]?.subscription_id}`)).toEqual([2]);
    expect(await numbersOf(app, admin, '?created_after=2026-01-08T00:00:00Z')).toEqual([1, 2]);
    expect(await numbersOf(app, admin, '?created_before=2026-01-08T00:00:00Z')).toEqual([4]);
  });

  it('400: for unknown sorts and filters', async ({ app, admin }) => {
    for (const query of ['?sort=total', '?status=late', '?created_after=yesterday', '?plan_id=x', '?limit=0']) {
      expect((await list(app, admin, query)).body.error.code).toBe('invalid_request');
    }
  });

  it('401 without a token, 403 for a member, nothing of another organization', async ({ app, admin, eve }) => {
    expect((await app.api.get('/v1/invoices')).status).toBe(401);
    const member = await joinOrganization(app, admin);
    const headers = { 'x-organization-id': admin.organizationId };
    expect((await app.api.get('/v1/invoices', member.accessToken, headers)).body.error.code).toBe('forbidden');
    const billing = await joinOrganization(app, admin, 'billing');
    expect((await app.api.get('/v1/invoices', billing.accessToken, headers)).body.data).toHaveLength(4);
    expect((await list(app, admin, '', eve.accessToken)).body.data).toEqual([]);
  });
});

describe('GET /v1/invoices/{invoice_id}', () => {
  it('200: returns the same as the list', async ({ app, admin }) => {
    const [first] = (await list(app, admin)).body.data;
    const answer = await app.api.get(`/v1/invoices/${first.id}`, admin.accessToken);
    expect([answer.status, answer.body.data]).toEqual([200, first]);
  });

  it('404: for an unknown invoice, and for another organization’s', async ({ app, admin, eve, planted }) => {
    for (const [id, token] of [
      [UNKNOWN_ID, admin.accessToken],
      ['x', admin.accessToken],
      [planted[0]?.id, eve.accessToken],
    ]) {
      const answer = await app.api.get(`/v1/invoices/${id}`, token);
      expect([answer.status, answer.body.error.details]).toEqual([404, { resource: 'invoice' }]);
    }
  });
});

describe('GET /v1/invoices/{invoice_id}/pdf', () => {
  it('200: returns the file itself, with its name and its checksum, and forbids caching', async ({
    app,
    admin,
    planted,
  }) => {
    const { status, headers, file } = await download(app, admin, planted[0]?.id ?? '');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe('attachment; filename="ACME-000001.pdf"');
    expect(headers.get('content-length')).toBe(String(file.length));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBe(`"${createHash('sha256').update(file).digest('hex')}"`);
    const written = readPdf(file).pages.join('\n').split('\n');
    expect(written).toEqual(
      expect.arrayContaining(['ACME-000001', 'Seller & Söhne', 'Ada’s organization', '3.00 USD']),
    );
  });

  it('shows the legal name and details that the invoice was issued with', async ({ app, admin, eve }) => {
    const buyer = {
      name: 'Ada',
      legal_name: 'Ada Ltd',
      address: 'Road 1\nLondon',
      tax_id: 'GB1',
      email: 'a@b.example',
    };
    const { id } = await plantInvoice(app, eve.organizationId, { buyer });
    const { file } = await download(app, admin, id, eve.accessToken);
    const written = readPdf(file).pages.join('\n').split('\n');
    expect(written).toEqual(expect.arrayContaining(['Ada Ltd', 'Road 1', 'London', 'Tax ID GB1', 'a@b.example']));
    expect(written).not.toContain('Ada');
  });

  it('304 without a body if the client already has it', async ({ app, admin, eve }) => {
    const { id } = await plantInvoice(app, eve.organizationId, { sequence: 80, created_at: new Date(0) });
    const ask = (ifNoneMatch: string) =>
      fetch(`${app.api.baseUrl}/v1/invoices/${id}/pdf`, {
        headers: { authorization: `Bearer ${eve.accessToken}`, 'if-none-match': ifNoneMatch },
      });
    const first = await ask('"another"');
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, (await first.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    for (const header of [etag, `W/${etag}`, `"another", ${etag}`, '*']) {
      const again = await ask(header);
      expect([again.status, (await again.arrayBuffer()).byteLength, again.headers.get('etag')]).toEqual([304, 0, etag]);
      expect(again.headers.get('content-type')).toBeNull();
    }
    const strangers = await fetch(`${app.api.baseUrl}/v1/invoices/${id}/pdf`, {
      headers: { authorization: `Bearer ${admin.accessToken}`, 'if-none-match': etag },
    });
    expect(strangers.status).toBe(404);
  });

  it('is created once: it stays the same with another seller and in another process', async ({
    app,
    admin,
    planted,
  }) => {
    const id = planted[1]?.id ?? '';
    const first = await download(app, admin, id);
    const other = await startTestApp({ beside: app, settings: { SEATHOLD_SELLER: 'Someone else' } });
    const answer = await fetch(`${other.api.baseUrl}/v1/invoices/${id}/pdf`, {
      headers: { authorization: `Bearer ${admin.accessToken}` },
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(first.file);
    await other.close();
  });

  it('is the same file for many simultaneous requests', async ({ app, admin }) => {
    const { id } = await plantInvoice(app, admin.organizationId, { sequence: 90, created_at: new Date(0) });
    const files = (await Promise.all(Array.from({ length: 12 }, () => download(app, admin, id)))).map(
      ({ file }) => file,
    );
    expect(files.filter((file) => file.compare(files[0] ?? Buffer.alloc(0)) !== 0)).toEqual([]);
    expect(await pdfRows(app, id)).toHaveLength(1);
  });

  it('is not stored while the invoice is open, and shows that it is open', async ({ app, admin }) => {
    const { id } = await plantInvoice(app, admin.organizationId, {
      sequence: 91,
      status: 'open',
      created_at: new Date(0),
    });
    expect(readPdf((await download(app, admin, id)).file).pages.join('')).toContain('Open: not yet paid');
    expect(await pdfRows(app, id)).toEqual([]);
    await execute(
      app.database,
      `update invoices set status = 'uncollectible', closed_at = created_at where organization_id = $1 and id = $2`,
      [admin.organizationId, id],
    );
    expect(readPdf((await download(app, admin, id)).file).pages.join('')).toContain('uncollectible');
    expect(await pdfRows(app, id)).toHaveLength(1);
  });

  it('401 without a token, 404 for an unknown invoice and for another organization’s', async ({
    app,
    admin,
    eve,
    planted,
  }) => {
    expect((await app.api.get(`/v1/invoices/${planted[0]?.id}/pdf`)).status).toBe(401);
    expect((await app.api.get(`/v1/invoices/${UNKNOWN_ID}/pdf`, admin.accessToken)).status).toBe(404);
    expect((await app.api.get(`/v1/invoices/${planted[0]?.id}/pdf`, eve.accessToken)).status).toBe(404);
  });
});
