import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { execute } from '../../../test/harness/index.ts';
import { readPdf } from '../../../test/harness/read-pdf.ts';
import { Shop } from '../../../test/harness/shop.ts';

it('a receipt attaches the PDF that the API returns, marked as a test in the sandbox and stored once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'seathold-receipt-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const shop = await Shop.start({ settings: { SEATHOLD_DATA_DIR: dataDir } });
  onTestFinished(() => shop.app.close());
  const ada = await shop.app.register();
  await shop.buy(ada);
  const [invoice] = await shop.invoices(ada);

  while (await shop.app.runJob('mail.send-due-1')) {
    // One mail after the other.
  }
  const files = await readdir(join(dataDir, 'mail'));
  const mails = await Promise.all(files.map((file) => readFile(join(dataDir, 'mail', file), 'latin1')));
  const receipt = mails.find((mail) => mail.includes(`Receipt for invoice ${invoice.number}`)) ?? '';
  const [, encoded = ''] = /Content-Disposition: attachment[^\r]*\r\n\r\n([\s\S]*?)\r\n--/.exec(receipt) ?? [];
  const attached = Buffer.from(encoded, 'base64');

  const answer = await fetch(`${shop.app.api.baseUrl}/v1/invoices/${invoice.id}/pdf`, {
    headers: { authorization: `Bearer ${ada.accessToken}` },
  });
  expect(attached.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  expect(readPdf(attached).pages.map((page) => page.split('\n').includes('TEST'))).toEqual([true]);
  expect(await execute(shop.app.database, 'select invoice_id from invoice_pdfs')).toEqual([{ invoice_id: invoice.id }]);
});
