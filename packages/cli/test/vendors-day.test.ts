import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { plantInvoice } from '../../server/test/harness/plant-invoice.ts';
import { createRemoteTest } from './remote-world.ts';

const CUSTOMERS = 50;
const LICENSES = 200;
const PRODUCTS = ['studio', 'render', 'archive'];
const HARDWARE = ['a', 'b', 'c'].map((letter) => `hw_${letter.repeat(32)}`);
const ONE_YEAR = '2027-12-31T00:00:00.000Z';
const TWO_YEARS = '2028-12-31T00:00:00.000Z';

const it = createRemoteTest();

/** 50 customers and 200 licenses of two seats each, four per customer. */
function makeFile(firstAdmin: string): string {
  const customers = Array.from({ length: CUSTOMERS }, (_, at) => ({
    kind: 'organization',
    external_id: `crm-${at}`,
    name: `Customer ${at}`,
    admin_email: at === 0 ? firstAdmin : `admin${at}@customer.example`,
  }));
  const licenses = Array.from({ length: LICENSES }, (_, at) => ({
    kind: 'license',
    external_id: `lic-${at}`,
    organization: `crm-${at % CUSTOMERS}`,
    product: PRODUCTS[Math.floor(at / CUSTOMERS) % PRODUCTS.length],
    max_seats: 2,
    expires_at: ONE_YEAR,
    key_aliases: [`OLD-${at}`],
  }));
  return [...customers, ...licenses].map((line) => `${JSON.stringify(line)}\n`).join('');
}

it("a vendor's day needs nothing but HTTPS, and each customer's audit log shows what was done for them", async ({
  app,
  ask,
  remote,
  world,
}) => {
  for (const product of PRODUCTS) {
    await ask('product', 'set', product, '--feature', 'export');
  }
  const ada = await app.register('Ada');
  const path = join(world.folder, 'customers.jsonl');
  await writeFile(path, makeFile(ada.email));
  const imported = await ask('import', path);
  expect(imported.organization).toMatchObject({ created: CUSTOMERS, failed: 0 });
  expect(imported.license).toMatchObject({ created: LICENSES, failed: 0 });
  expect(await ask('license', 'list', '--all')).toHaveLength(LICENSES);
  expect(await ask('license', 'list', '--product', 'archive', '--all')).toHaveLength(CUSTOMERS);

  // The first customer's admin accepts the invitation, and works.
  const [customer] = await ask('org', 'list', '--external-id', 'crm-0');
  const invitation = (await app.mailsTo(ada.email)).find(({ kind }) => kind === 'invitation');
  await app.api.post('/v1/invitations/accept', ada.accessToken, { token: invitation?.code });
  const own = { 'x-organization-id': String(customer.id) };
  const [license] = await ask('license', 'list', '--external-id', 'lic-0', '--organization', customer.id);
  const acquire = (hardware: string | undefined) =>
    app.api.post('/v1/licenses/acquire', ada.accessToken, { license_key: 'OLD-0', hardware_id: hardware }, own);
  const [first, second, refused] = [await acquire(HARDWARE[0]), await acquire(HARDWARE[1]), await acquire(HARDWARE[2])];
  expect([first.status, second.status, refused.body.error.code]).toEqual([201, 201, 'no_seats_available']);

  // Support explains the refusal, and releases the seat of a machine that is gone.
  await app.runJobs();
  const explained = await ask('explain', '--email', ada.email, '--key', 'OLD-0');
  expect(explained).toMatchObject({ can_acquire: false, reasons: [{ code: 'no_seats_available' }] });
  expect(explained.refusals).toMatchObject([{ code: 'no_seats_available', hardware_id: HARDWARE[2] }]);
  await ask('seat', 'release', first.body.data.session_id, '--license', license.id);
  expect((await acquire(HARDWARE[2])).status).toBe(201);

  // One license is extended. Another is suspended, and so is a customer with a long-unpaid bill.
  const extended = await ask('license', 'update', license.id, '--expires', TWO_YEARS);
  expect(extended.expires_at).toBe(TWO_YEARS);
  const [other] = await ask('license', 'list', '--external-id', 'lic-50', '--organization', customer.id);
  await ask('license', 'suspend', other.id, '--reason', 'Reported as stolen');
  const [debtor] = await ask('org', 'list', '--external-id', 'crm-7');
  await ask('org', 'suspend', debtor.id, '--reason', 'Invoice 4711 is unpaid');
  expect((await ask('license', 'list', '--status', 'suspended')).map(({ id }: { id: string }) => id)).toEqual([
    other.id,
  ]);
  expect((await ask('org', 'list', '--status', 'suspended')).map(({ id }: { id: string }) => id)).toEqual([debtor.id]);

  // Finance finds an invoice by its number, and exports all invoices.
  const { number } = await plantInvoice(app, customer.id, { number: 'CUSTOMER-000001' });
  expect(await ask('invoice', 'list', '--number', 'CUSTOMER-000001')).toMatchObject([{ organization_id: customer.id }]);
  expect(await remote(['export', 'invoices', '-o', 'invoices.csv'])).toMatchObject({ code: 0 });
  const [head, ...rows] = (await readFile(join(world.folder, 'invoices.csv'), 'utf8')).trimEnd().split('\r\n');
  expect(head?.split(',')).toContain('number');
  expect(rows.filter((row) => row.includes(`,${number},paid,${customer.id},`))).toHaveLength(1);

  const log = await app.api.get('/v1/audit-log?limit=100', ada.accessToken, own);
  const entries: Array<{ action: string; actor: { type: string } }> = log.body.data;
  expect(entries.filter(({ actor }) => actor.type === 'operator_token').map(({ action }) => action)).toEqual([
    'license.suspended',
    'license.updated',
    'license.seat.released',
    ...Array.from({ length: 4 }, () => 'license.issued'),
    'invitation.created',
    'organization.created',
  ]);
});
