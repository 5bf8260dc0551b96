import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import { join } from 'node:path';
import { ensureLocalCertificate } from '../../server/src/security/index.ts';
import type { CliWorld } from './cli-world.ts';

/** A request as the proxy forwards it. */
export interface ProxiedRequest {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
}

/** A response as the proxy returns it. */
export interface ProxiedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** How the proxy misbehaves. */
export interface Defect {
  before?(passed: ProxiedRequest): void;
  after?(given: ProxiedResponse, passed: ProxiedRequest): void;
}

/** A proxy in front of a world's service that corrupts what it forwards. It uses the world's certificate. */
export async function startBrokenProxy(world: CliWorld, defect: Defect): Promise<{ url: string; close(): void }> {
  const ca = await readFile(world.caPath);
  const own = await ensureLocalCertificate({
    dir: join(world.folder, 'data', 'tls'),
    hostnames: ['localhost'],
    now: new Date(),
  });
  const server = createServer({ cert: own.certPem, key: own.keyPem }, async (incoming, response) => {
    const passed: ProxiedRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: { ...incoming.headers },
    };
    defect.before?.(passed);
    const body = Buffer.concat(await incoming.toArray());
    const given = await pass(new URL(passed.url, world.baseUrl), passed, body, ca);
    defect.after?.(given, passed);
    const { 'transfer-encoding': _encoding, ...headers } = given.headers;
    const length = given.status === 204 ? {} : { 'content-length': String(Buffer.byteLength(given.text)) };
    response.writeHead(given.status, { ...headers, ...length }).end(given.text);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `https://localhost:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(url: URL, { method, headers }: ProxiedRequest, body: Buffer, ca: Buffer): Promise<ProxiedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ProxiedResponse>();
  const outgoing = request(
    url,
    { method, headers: { ...headers, host: url.host }, ca, agent: false },
    async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString('utf8');
      resolve({ status: answer.statusCode ?? 0, headers: { ...answer.headers }, text });
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
