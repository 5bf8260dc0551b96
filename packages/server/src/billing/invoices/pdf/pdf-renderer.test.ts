import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeInvoiceRow } from '../../../../test/harness/plant-invoice.ts';
import { createInvoiceDocument } from '../create-invoice-document.ts';
import { PdfRenderer, type PdfRendererOptions, RendererBusy } from './pdf-renderer.ts';

const DOCUMENT = createInvoiceDocument(makeInvoiceRow('org'), { name: 'Seller', address: '', taxId: '' }, '');

let renderer: PdfRenderer | undefined;
const open = (options: PdfRendererOptions = {}) => {
  renderer = new PdfRenderer(options);
  return renderer;
};
afterEach(() => renderer?.close());

/** A thread that runs this code for each document. */
const threadThat = (does: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      const count = new Int32Array(1);
      parentPort.on('message', ({ document }) => { count[0] += 1; ${does} });`)}`,
  );
/** Answers with the number of previous answers, except for void documents. */
const orAnswer = (does: string) =>
  threadThat(
    `if (document.status === 'void') { ${does} } else parentPort.postMessage({ pdf: new Uint8Array([count[0]]) });`,
  );
const VOID = { ...DOCUMENT, status: 'void' as const };

describe('the renderer', () => {
  it('draws in a thread without blocking this one', async () => {
    const pool = open();
    let turns = 0;
    const interval = setInterval(() => {
      turns += 1;
    }, 1);
    const files = await Promise.all(['a', 'b', 'c'].map((each) => pool.render(each, DOCUMENT)));
    clearInterval(interval);
    expect(files.map((file) => file.subarray(0, 5).toString())).toEqual(['%PDF-', '%PDF-', '%PDF-']);
    expect(turns).toBeGreaterThan(10);
  });

  it('replaces a thread that breaks, and continues with the waiting documents', async () => {
    const pool = open({ worker: orAnswer('process.exit(3);') });
    const [broken, next] = await Promise.allSettled([pool.render('a', VOID), pool.render('a', DOCUMENT)]);
    expect(broken).toMatchObject({ status: 'rejected', reason: new Error('the rendering thread ended with 3') });
    expect(next).toMatchObject({ status: 'fulfilled', value: Buffer.from([1]) });
  });

  it('aborts a drawing that takes too long, and continues with another thread', async () => {
    const pool = open({ worker: orAnswer('for (;;) {}'), timeoutMs: 5_000 });
    const [slow, next] = await Promise.allSettled([pool.render('a', VOID), pool.render('a', DOCUMENT)]);
    expect(slow).toMatchObject({ status: 'rejected', reason: new Error('an invoice took too long to render') });
    expect(next).toMatchObject({ status: 'fulfilled', value: Buffer.from([1]) });
  });

  it('reports a document that cannot be drawn, and keeps the thread usable', async () => {
    const pool = open({ worker: orAnswer("parentPort.postMessage({ problem: 'no ink' });") });
    await expect(pool.render('a', VOID)).rejects.toThrow('no ink');
    expect(await pool.render('a', DOCUMENT)).toEqual(Buffer.from([2]));
  });

  it('ends an idle thread, and starts another one later', async () => {
    const pool = open({ worker: orAnswer(''), idleMs: 0 });
    expect(await pool.render('a', DOCUMENT)).toEqual(Buffer.from([1]));
    // The same thread would continue counting.
    await vi.waitFor(async () => expect(await pool.render('a', DOCUMENT)).toEqual(Buffer.from([1])), 300_000);
  });

  it('limits how many documents wait, in total and per organization', async () => {
    const pool = open({ mostWaiting: 3, mostWaitingOfOne: 2 });
    const asked = ['a', 'a', 'a', 'a', 'b', 'c'].map((each) => pool.render(each, DOCUMENT));
    const settled = (await Promise.allSettled(asked)).map(({ status }) => status);
    // The first is rendered immediately, so it does not wait.
    expect(settled).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected']);
    await expect(asked[3]).rejects.toThrow(RendererBusy);
  });

  it('refuses waiting and later documents when it is closed', async () => {
    const pool = open({ worker: threadThat('') });
    const waiting = Promise.allSettled([pool.render('a', DOCUMENT), pool.render('a', DOCUMENT)]);
    await pool.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.render('a', DOCUMENT)).rejects.toThrow(RendererBusy);
  });
});
