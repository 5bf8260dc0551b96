import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { FontsMissing } from './fonts.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { renderInvoice } from './render-invoice.ts';

/** What is sent to the worker, one at a time. */
export interface RenderRequest {
  document: InvoiceDocument;
}

/** What comes back for each. */
export type RenderReply = { pdf: Uint8Array } | { areFontsMissing: true } | { problem: string };

// On Linux each thread has its own priority: a request for a seat goes before a request for a PDF. With 10 in place of
// 19, and one core for both, the p99 of a timer beside was twice as long. Elsewhere it would be that of the whole
// service.
if (process.platform === 'linux') {
  try {
    setPriority(19);
  } catch {
    // Not allowed here: the work is only less polite.
  }
}

parentPort?.on('message', async ({ document }: RenderRequest) => {
  parentPort?.postMessage(await reply(document));
});

async function reply(document: InvoiceDocument): Promise<RenderReply> {
  try {
    return { pdf: await renderInvoice(document) };
  } catch (error) {
    if (error instanceof FontsMissing) {
      return { areFontsMissing: true };
    }
    return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
