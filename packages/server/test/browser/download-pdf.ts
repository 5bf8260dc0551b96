import type { Download, Page } from 'playwright-core';
import type { MoneyWorld } from './money-world.ts';

/** On a busy machine, the service may give up on its first PDF, for which it loads the fonts. A person asks again. */
export async function downloadPdf(page: Page, world: MoneyWorld): Promise<Download> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const download = page.waitForEvent('download', { timeout: 30_000 }).catch(() => undefined);
    await page.getByRole('button', { name: /Download PDF of/ }).press('Enter');
    const file = await download;
    if (file !== undefined) {
      return file;
    }
    world.expectRefusals(503);
  }
  throw new Error('there is no PDF after five attempts');
}
