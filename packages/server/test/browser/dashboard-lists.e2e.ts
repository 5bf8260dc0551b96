import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardWorld, type Person } from './dashboard-world.ts';

const run = promisify(execFile);

let world: DashboardWorld;
let ada: Person;
let license: { id: string; key: string };

beforeAll(async () => {
  world = await DashboardWorld.start();
  ada = await world.register();
  const created = await world.run(['operator', 'token', 'create', '--sandbox', '--name', 'test', '--json']);
  const operator = /svc_opt_\w{42}/.exec(created)?.[0] ?? '';
  license = await world.call('POST', '/v1/operator/licenses', operator, {
    organization_id: ada.organizationId,
    product: 'seathold-demo',
    max_seats: 3,
    expires_at: '2040-01-01T00:00:00Z',
    policy: { activation: 'key', max_activations: 5 },
  });
  await world.call('POST', '/v1/projects', ada.accessToken, { name: 'Engine' });
});
afterAll(() => world.close());

describe('a filtered list', () => {
  it.each([
    ['/licenses', 'Suspended', 'status=suspended', 'No licenses with this status'],
    ['/projects', 'Archived', 'status=archived', 'No projects with this status'],
    ['/invoices', 'Open', 'status=open', 'No invoices'],
    ['/subscriptions', 'Past due', 'status=past_due', 'No subscriptions with this status'],
  ])('at %s is the same when its address is opened again', async (path, label, query, empty) => {
    const page = await world.visit(path, ada);
    await page.locator('label', { hasText: label }).click();
    await page.getByRole('heading', { name: empty }).waitFor();
    expect(new URL(page.url()).search).toBe(`?${query}`);
    await page.reload();
    await page.getByRole('heading', { name: empty }).waitFor();
    expect(await page.getByRole('radio', { name: label }).isChecked()).toBe(true);
    await page.locator('label', { hasText: 'All' }).first().click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.goBack();
    await page.getByRole('heading', { name: empty }).waitFor();
  });

  it("keeps the event type and the audit log's search, and a license keeps its tab", async () => {
    const page = await world.visit('/events', ada);
    const type = page.getByRole('combobox');
    await type.locator('option', { hasText: 'license.created' }).waitFor({ state: 'attached' });
    await type.selectOption('invoice.paid');
    await page.getByRole('heading', { name: 'No events of this type' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No events of this type' }).waitFor();
    expect(await type.inputValue()).toBe('invoice.paid');

    await page.goto(`${world.baseUrl}/audit-log`);
    await page.getByLabel('Action').fill('project.created');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('?action=project.created');
    await page.reload();
    await page.getByRole('cell', { name: 'project.created' }).waitFor();
    expect(await page.getByLabel('Action').inputValue()).toBe('project.created');
    expect(await page.getByRole('button', { name: 'Show' }).count()).toBe(1);

    await page.goto(`${world.baseUrl}/licenses/${license.id}`);
    await page.getByRole('tab', { name: 'Demand' }).click();
    await page.getByText('No seats were used in the last 30 days.').waitFor();
    await page.reload();
    await page.getByText('No seats were used in the last 30 days.').waitFor();
  });
});

it('a list is the same table to screen readers on a phone, where each row is a block', async () => {
  const page = await world.visit('/licenses', ada);
  const table = page.getByRole('region', { name: 'Licenses' }).locator('table');
  await table.getByRole('link').waitFor();
  const devtools = await page.context().newCDPSession(page);
  // What the browser tells assistive technology, roles and names in order.
  const listNodes = async () => {
    const { nodes } = await devtools.send('Accessibility.getFullAXTree');
    return nodes
      .filter(({ ignored, role }) => !ignored && /^(table|rowgroup|row|columnheader|cell)$/.test(role?.value ?? ''))
      .map(({ role, name }) => `${role?.value} ${name?.value ?? ''}`.trim());
  };
  const wide = await listNodes();
  expect(wide).toEqual(
    expect.arrayContaining(['table', 'row', 'columnheader Seats', 'cell seathold-demo', 'cell 0 / 3']),
  );
  await page.setViewportSize({ width: 360, height: 800 });
  await expect.poll(() => page.evaluate('getComputedStyle(document.querySelector("table")).display')).toBe('block');
  expect(await listNodes()).toEqual(wide);
  // Every value is in sight, next to the title of its column.
  expect(await page.evaluate('document.querySelector("table").scrollWidth - innerWidth')).toBeLessThan(0);
  const label = "getComputedStyle(document.querySelector('td[data-label=Seats]'), '::before').content";
  expect(await page.evaluate(label)).toContain('Seats');
});

it('a license shows the machines activated with the license key, and revokes one', async () => {
  const machine = { license_key: license.key, hardware_id: `hw_${'c'.repeat(32)}`, name: 'Render node 7' };
  const { activation_token: token } = await world.call('POST', '/v1/licenses/activate', undefined, machine);
  const page = await world.visit(`/licenses/${license.id}?tab=activations`, ada);
  await page.getByRole('cell', { name: 'Render node 7' }).waitFor();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('heading', { name: 'No activated machines' }).waitFor();
  await expect(world.call('POST', '/v1/licenses/acquire', token, { hardware_id: machine.hardware_id })).rejects.toThrow(
    '401',
  );
});

it('the dashboard shows a command with a new API key that works as shown, whatever the key may read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-command-'));
  // A newcomer works in the folder that the service was started in.
  await symlink(world.folder, join(folder, 'data'));
  try {
    const page = await world.visit('/api-keys', ada);
    await page.getByRole('button', { name: 'Create API key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('As it is');
    await dialog.getByText('Take and free seats').waitFor();
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const command = await page.locator('pre', { hasText: 'curl' }).innerText();
    const { stdout } = await run('sh', ['-c', `${command} -s`], { cwd: folder });
    expect(JSON.parse(stdout).data[0].id).toBe(license.id);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('a project shows what it uses', async () => {
  const page = await world.visit('/projects', ada);
  await page.getByRole('button', { name: 'Usage' }).click();
  const dialog = page.getByRole('dialog', { name: 'Usage of Engine' });
  await dialog.getByText('Seat hours this month').waitFor();
  expect(await dialog.locator('dd').allInnerTexts()).toEqual(['0', '0', '0']);
});
