import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Listener, listen } from '../../src/http/listener/index.ts';
import type { ListenerLimits } from '../../src/http/listener/limits.ts';
import { ensureLocalCertificate, type LocalCertificate } from '../../src/security/index.ts';
import { startTestApp, type TestApp } from '../harness/index.ts';

/** A test app behind the service's own listener. */
export interface ListeningApp {
  test: TestApp;
  listener: Listener;
  certificate: LocalCertificate;
  close(): Promise<void>;
}

/** `trustsPlain` makes this machine a trusted proxy, whose plain HTTP is served. Otherwise plain HTTP is refused. */
export async function startListeningApp(options: {
  trustsPlain: boolean;
  limits?: Partial<ListenerLimits>;
}): Promise<ListeningApp> {
  const settings: Record<string, string> = options.trustsPlain ? { SEATHOLD_TRUST_PROXY: '127.0.0.1' } : {};
  const test = await startTestApp({ environment: 'sandbox', settings });
  const dir = await mkdtemp(join(tmpdir(), 'seathold-fuzz-'));
  const certificate = await ensureLocalCertificate({ dir, hostnames: [], now: new Date() });
  const { service: app } = test;
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    cert: certificate.certPem,
    key: certificate.keyPem,
    // As in main.ts: HTTP/2's compatibility API has everything that is used here.
    handler: (request, response) => app.handle(request as IncomingMessage, response as ServerResponse),
    onPlainHttp: app.handlePlain,
    onClientError: app.answerClientError,
    trustPlain: app.trustPlain,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  return {
    test,
    listener,
    certificate,
    close: async () => {
      await listener.close(0);
      await test.close();
      await rm(dir, { recursive: true });
    },
  };
}
