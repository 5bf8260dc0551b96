import { LineProgram } from './line-program.ts';
import type { Target } from './load-plan.ts';

/** An answer of the service that the peer gives as well, byte for byte. */
export interface CannedAnswer {
  method: 'GET' | 'POST';
  url: string;
  status: number;
  /** Name, value, name, value: the service's own, so that both sides send the same bytes. */
  rawHeaders: readonly string[];
  body: string;
}

/** What the peer is started with: the service's own certificate, and the answers. */
export interface BareSettings {
  cert: string;
  key: string;
  answers: readonly CannedAnswer[];
}

/** A running peer. */
export interface BarePeer {
  target: Target;
  /** A TLS socket that answers without reading. */
  cannedTarget: Target;
  startMs: number;
  stop(): Promise<void>;
}

/** Starts the bare Fastify handler in a process of its own, on the core where the service is measured too. */
export async function startBarePeer(settings: BareSettings, ca: string): Promise<BarePeer> {
  const startedAtMs = performance.now();
  const program = new LineProgram('contender', new URL('../programs/bare-peer.ts', import.meta.url), [
    JSON.stringify(settings),
  ]);
  const { port, cannedPort }: { port: number; cannedPort: number } = JSON.parse(await program.read());
  return {
    target: { port, pid: program.pid, ca },
    cannedTarget: { port: cannedPort, pid: program.pid, ca },
    startMs: performance.now() - startedAtMs,
    stop: () => program.stop(),
  };
}
