import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { FontsMissing } from './fonts.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { renderInvoice } from './render-invoice.ts';

/** A request to the worker, one at a time. */
export interface RenderRequest {
  document: InvoiceDocument;
}

/** The reply to a request. */
export type RenderReply = { pdf: Uint8Array } | { areFontsMissing: true } | { problem: string };

// On Linux each thread has its own priority, so seat requests come before PDF requests. With 10 instead of 19, and one
// core for both, the p99 of a concurrent timer was twice as long. Elsewhere, this would set the priority of the whole
// service.
if (process.platform === 'linux') {
  try {
    setPriority(19);
  } catch {
    // Not permitted here: rendering then keeps the normal priority.
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
