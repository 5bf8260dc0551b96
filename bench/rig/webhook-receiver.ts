import { mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLocalCertificate, type LocalCertificate } from '../../packages/server/src/security/index.ts';
import { LineProgram } from './line-program.ts';
import type { ReceiverOrder, ReceiverReport, ReceiverSettings } from './webhook-orders.ts';

/** A receiver of deliveries on loopback, in a process of its own on the load's core. */
export class WebhookReceiver {
  readonly port: number;
  readonly ca: string;
  readonly #program: LineProgram;

  constructor(program: LineProgram, port: number, ca: string) {
    this.#program = program;
    this.port = port;
    this.ca = ca;
  }

  /** Forgets what came before. */
  forget(keepsArrivals = false): Promise<ReceiverReport> {
    return this.#order({ kind: 'forget', keepsArrivals });
  }

  tell(): Promise<ReceiverReport> {
    return this.#order({ kind: 'tell' });
  }

  /** Ends all connections to it. */
  hangUp(): Promise<ReceiverReport> {
    return this.#order({ kind: 'hang-up' });
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }

  async #order(order: ReceiverOrder): Promise<ReceiverReport> {
    return JSON.parse(await this.#program.ask(JSON.stringify(order)));
  }
}

/** The receivers of one bench: one that answers at once, and one that never does. */
export interface Receivers {
  receiver: WebhookReceiver;
  hanging: WebhookReceiver;
  /** With these the service delivers to them. */
  settings: Readonly<Record<string, string>>;
}

/** Starts both under one certificate authority, and ends them when the work is done. */
export async function withReceivers<Result>(work: (receivers: Receivers) => Promise<Result>): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), 'seathold-bench-receiver-'));
  const started: WebhookReceiver[] = [];
  try {
    const certificate = await ensureLocalCertificate({ dir, hostnames: [`*.${HANGING_HOST}`], now: new Date() });
    const start = async (hangs: boolean) => {
      const receiver = await startReceiver(certificate, hangs);
      started.push(receiver);
      return receiver;
    };
    const receivers = { receiver: await start(false), hanging: await start(true) };
    const settings = {
      SEATHOLD_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
      SEATHOLD_WEBHOOK_CA_FILE: certificate.caPath,
    };
    return await work({ ...receivers, settings });
  } finally {
    await Promise.all(started.map((receiver) => receiver.stop()));
    await rm(dir, { recursive: true, force: true });
  }
}

/** Names below it are this machine, and each is a destination of its own. */
export const HANGING_HOST = 'hanging.localhost';

async function startReceiver(certificate: LocalCertificate, hangs: boolean): Promise<WebhookReceiver> {
  const settings: ReceiverSettings = { cert: certificate.certPem, key: certificate.keyPem, hangs };
  const program = new LineProgram('generator', new URL('../programs/webhook-receiver.ts', import.meta.url), [
    JSON.stringify(settings),
  ]);
  const { port }: { port: number } = JSON.parse(await program.read());
  if (hangs) {
    // Its handshakes must not take the core from the load whose answers are timed.
    setPriority(program.pid, 19);
  }
  return new WebhookReceiver(program, port, certificate.caPem);
}
