import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';

/** Receivers that share nothing: no port, no connection, no certificate. */
export interface Receivers {
  all: WebhookReceiver[];
  /** The settings that make a server deliver to all of them. */
  settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens this many receivers. */
export async function startReceivers(count: number): Promise<Receivers> {
  const all = await Promise.all(Array.from({ length: count }, () => startReceiver()));
  const dir = await mkdtemp(join(tmpdir(), 'seathold-receivers-'));
  const authorities = await Promise.all(
    all.map((each) => readFile(each.settings.SEATHOLD_WEBHOOK_CA_FILE ?? '', 'utf8')),
  );
  const path = join(dir, 'ca.pem');
  await writeFile(path, authorities.join('\n'));
  return {
    all,
    settings: { ...all[0]?.settings, SEATHOLD_WEBHOOK_CA_FILE: path },
    close: async () => {
      await Promise.all(all.map((each) => each.close()));
      await rm(dir, { recursive: true, force: true });
    },
  };
}
