import { Worker } from 'node:worker_threads';
import { FontsMissing } from './fonts.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import type { RenderReply, RenderRequest } from './render-worker.ts';

/** How the renderer behaves; the defaults are for the service, others for tests. */
export interface PdfRendererOptions {
  /** How many may wait. */
  mostWaiting?: number;
  /** How many of them may be one organization's, so that no other waits for it alone. */
  mostWaitingOfOne?: number;
  /** How long one rendering may take. */
  timeoutMs?: number;
  /** After how long without work the thread ends. */
  idleMs?: number;
  /** The file that the thread runs. */
  worker?: URL;
}

/** Nothing was rendered because too many wait already: to be tried again later. */
export class RendererBusy extends Error {}

interface Job {
  organizationId: string;
  document: InvoiceDocument;
  resolve: (pdf: Buffer) => void;
  reject: (error: Error) => void;
}

/**
 * Renders invoices in a thread of its own, one after the other, so that no request waits for the drawing of another's PDF.
 * The thread is started when it is needed, ends when it is not, and is replaced when it breaks or takes too long.
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

  /** The PDF of a document. Throws RendererBusy when too many wait, FontsMissing, and otherwise when it cannot be drawn. */
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

  /** Ends the thread; what waits is refused. */
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
      // It draws what strangers wrote, so it is given neither the settings nor more memory than drawing takes.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      name: 'invoice-pdf',
    });
    // Neither a thread that is idle nor one that hangs keeps the process alive.
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
    worker.on('exit', (code) => onBroken(new Error(`the thread that renders ended with ${code}`)));
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

  /** The one under way failed with the thread; the others continue with a new one. */
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
