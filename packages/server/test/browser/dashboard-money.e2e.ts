import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HttpsClient } from '../torture/https-client.ts';
import { readAuthority, serverSettings, startServer } from '../torture/server-process.ts';
import { startChromium } from './chromium.ts';

const PASSWORD = 'an engine that weaves patterns';

it('shows what was bought as an invoice, and downloads its PDF', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-money-'));
  const settings = await serverSettings({ SEATHOLD_DATA_DIR: folder });
  const baseUrl = `https://localhost:${settings.SEATHOLD_SANDBOX_PORT}`;
  const server = await startServer({ ...settings, SEATHOLD_SANDBOX_URL: baseUrl });
  const client = new HttpsClient([await readAuthority(folder)]);
  const browser = await startChromium();
  try {
    const post = async (path: string, body: unknown, token?: string) => {
      const outcome = await client.call('POST', baseUrl + path, { token }, body);
      return outcome.kind === 'answer' ? outcome.body.data : expect.fail(JSON.stringify(outcome));
    };
    const person = { email: 'payer@example.com', password: PASSWORD };
    const { access_token: token } = await post('/v1/auth/register', { ...person, name: 'Ada' });
    const plans = await client.call('GET', `${baseUrl}/v1/plans`, {});
    const sold: Array<{ id: string; price: number | null }> = plans.kind === 'answer' ? plans.body.data : [];
    const planId = sold.find(({ price }) => price !== null && price > 0)?.id;
    const order = { plan_id: planId, quantity: 3, payment_method_id: 'pm_card_visa' };
    await post('/v1/subscriptions', order, token);

    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      locale: 'en',
      viewport: { width: 1280, height: 800 },
    });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/invoices`);
    await page.getByLabel('Email address').fill(person.email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('table').getByText('Paid').waitFor();
    if (process.env.SCREENSHOTS !== undefined) {
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'invoices.png') });
    }
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /Download the PDF of/ }).press('Enter');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/-000001\.pdf$/);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  } finally {
    await browser.close();
    await client.close();
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
});
