import { letEnd } from './let-end.ts';
import { findProcess, type NodeProcess } from './node-modules.ts';
import { findEventTarget } from './on-wake.ts';

/** The seats to give back when the program ends. All share one set of listeners. */
const exits = new Set<() => Promise<void>>();
let stopListening: (() => void) | undefined;

/** How long a release may take when the program ends. A supervisor such as systemd or Kubernetes waits longer. */
const PATIENCE_MS = 5_000;

/** Calls when the program ends: by SIGTERM or SIGINT, when it has nothing more to do, or when its page is left. */
export function onExit(exit: () => Promise<void>): () => void {
  exits.add(exit);
  stopListening ??= listen();
  return () => {
    exits.delete(exit);
    if (exits.size === 0) {
      stopListening?.();
      stopListening = undefined;
    }
  };
}

function listen(): () => void {
  const process = findProcess();
  return process === undefined ? listenToPage() : listenToProcess(process);
}

function listenToProcess(process: NodeProcess): () => void {
  const stops = SIGNALS.map((signal) => listenToSignal(process, signal));
  const end = (): void => void runExits();
  process.on('beforeExit', end);
  return () => {
    process.off('beforeExit', end);
    for (const stop of stops) {
      stop();
    }
  };
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Ends the program by the same signal afterwards, unless the program itself handles it. */
function listenToSignal(process: NodeProcess, signal: string): () => void {
  const receive = (): void => {
    // A second signal ends the program immediately.
    process.off(signal, receive);
    const isAlone = process.listenerCount(signal) === 0;
    void runExits().then(() => {
      if (isAlone) {
        process.kill(process.pid, signal);
      }
    });
  };
  process.on(signal, receive);
  return () => process.off(signal, receive);
}

function listenToPage(): () => void {
  const target = findEventTarget();
  const leave = (event: Event): void => {
    // A page in the browser's back/forward cache may come back, with its seat.
    if (Object(event).persisted !== true) {
      void runExits();
    }
  };
  target?.addEventListener('pagehide', leave);
  return () => target?.removeEventListener('pagehide', leave);
}

async function runExits(): Promise<void> {
  const late = new Promise<void>((resolve) => {
    letEnd(setTimeout(resolve, PATIENCE_MS));
  });
  await Promise.race([Promise.allSettled([...exits].map((exit) => exit())), late]);
}
