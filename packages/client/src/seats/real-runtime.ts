import { letEnd } from './let-end.ts';
import { onExit } from './on-exit.ts';
import { onWake } from './on-wake.ts';
import type { Runtime } from './runtime.ts';

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** The machine's clocks, timers and signals. */
export const REAL_RUNTIME: Runtime = {
  now: () => ({ monoMs: performance.now(), wallMs: Date.now(), random: Math.random() }),
  setTimer: (milliseconds, run, isBackground) => {
    const timer = setTimeout(run, milliseconds);
    if (isBackground) {
      letEnd(timer);
    }
    return () => clearTimeout(timer);
  },
  checkSignature: async ({ kty = '', n = '', e = '' }, content, signature) => {
    const key = await crypto.subtle.importKey('jwk', { kty, n, e }, RS256, false, ['verify']);
    return crypto.subtle.verify(RS256, key, signature, content);
  },
  onWake,
  onExit,
};
