import { Worker } from 'node:worker_threads';
import { FontsMissing } from './fonts.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import type { RenderReply, RenderRequest } from './render-worker.ts';

/** The options of the renderer; the defaults are for the service, other values for tests. */
export interface PdfRendererOptions {
  /** How many renderings may wait. */
  mostWaiting?: number;
  /** How many of them may belong to one organization, so that it cannot block the others. */
  mostWaitingOfOne?: number;
  /** How long one rendering may take. */
  timeoutMs?: number;
  /** After how long without work the thread ends. */
  idleMs?: number;
  /** The file that the thread runs. */
  worker?: URL;
}

/** Nothing was rendered because too many are already waiting; try again later. */
export class RendererBusy extends Error {}

interface Job {
  organizationId: string;
  document: InvoiceDocument;
  resolve: (pdf: Buffer) => void;
  reject: (error: Error) => void;
}

/**
 * Renders invoices in a separate thread, one after the other, so that rendering does not delay other requests. The
 * thread is started on demand, ends when idle, and is replaced if it fails or takes too long.
 */
export class PdfRenderer {
  readonly #options: Required<PdfRendererOptions>;
  readonly #waiting: Job[] = [];
  #current: Job | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: PdfRendererOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * The PDF of a document. Throws RendererBusy if too many are waiting, FontsMissing, and other errors if rendering
   * fails.
   */
  render(organizationId: string, document: InvoiceDocument): Promise<Buffer> {
    const ofOne = this.#waiting.filter((job) => job.organizationId === organizationId).length;
    const { mostWaiting, mostWaitingOfOne } = this.#options;
    if (this.#isClosed || this.#waiting.length >= mostWaiting || ofOne >= mostWaitingOfOne) {
      return Promise.reject(new RendererBusy('too many invoices are being rendered'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ organizationId, document, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; waiting renderings are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const jobs = [...(this.#current === undefined ? [] : [this.#current]), ...this.#waiting.splice(0)];
    this.#current = undefined;
    await this.#end();
    for (const job of jobs) {
      job.reject(new RendererBusy('the service stops'));
    }
  }

  #next(): void {
    if (this.#current !== undefined) {
      return;
    }
    clearTimeout(this.#timer);
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      this.#timer = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
      return;
    }
    this.#worker ??= this.#start();
    const request: RenderRequest = { document: this.#current.document };
    this.#worker.postMessage(request);
    this.#timer = setTimeout(
      () => this.#fail(new Error('an invoice took too long to render')),
      this.#options.timeoutMs,
    );
    this.#timer.unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.worker, {
      // It renders untrusted text, so it gets no settings and only as much memory as rendering needs.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      name: 'invoice-pdf',
    });
    // An idle or hanging thread must not keep the process alive.
    worker.unref();
    worker.on('message', (reply: RenderReply) => {
      if (worker === this.#worker) {
        this.#settle(reply);
      }
    });
    const onBroken = (error: Error) => {
      if (worker === this.#worker) {
        this.#fail(error);
      }
    };
    worker.on('error', onBroken);
    worker.on('exit', (code) => onBroken(new Error(`the rendering thread ended with ${code}`)));
    return worker;
  }

  #settle(reply: RenderReply): void {
    const job = this.#current;
    this.#current = undefined;
    if ('pdf' in reply) {
      job?.resolve(Buffer.from(reply.pdf.buffer, reply.pdf.byteOffset, reply.pdf.byteLength));
    } else {
      job?.reject('areFontsMissing' in reply ? new FontsMissing() : new Error(reply.problem));
    }
    this.#next();
  }

  /** The current rendering failed with the thread; the others continue in a new one. */
  #fail(error: Error): void {
    const job = this.#current;
    this.#current = undefined;
    void this.#end();
    job?.reject(error);
    if (this.#waiting.length > 0) {
      this.#next();
    }
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

const MOST_MEGABYTES = 512;

const DEFAULTS: Required<PdfRendererOptions> = {
  mostWaiting: 200,
  mostWaitingOfOne: 50,
  timeoutMs: 30_000,
  idleMs: 30_000,
  worker: new URL('./render-worker.ts', import.meta.url),
};
