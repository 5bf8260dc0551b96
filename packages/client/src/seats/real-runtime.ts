import type { Runtime } from './runtime.ts';
import type { Jwk } from './verify-license-token.ts';

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** The machine's clocks, timers and signals. */
export const REAL_RUNTIME: Runtime = {
  now: () => ({ monoMs: performance.now(), wallMs: Date.now(), random: Math.random() }),
  setTimer: (milliseconds, run, isBackground) => {
    const timer: unknown = setTimeout(run, milliseconds);
    if (isBackground && typeof timer === 'object' && timer !== null && 'unref' in timer) {
      (timer as { unref(): void }).unref();
    }
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
  checkSignature: async ({ kty = '', n = '', e = '' }: Jwk, content, signature) => {
    const key = await crypto.subtle.importKey('jwk', { kty, n, e }, RS256, false, ['verify']);
    return crypto.subtle.verify(RS256, key, signature, content);
  },
  onWake: () => () => undefined,
  onExit: () => () => undefined,
};
