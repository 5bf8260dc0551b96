import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ReceiverCertificate } from '../harness/tls-receiver.ts';

/** An attacker's site, under any host name. */
export interface EvilSite {
  port: number;
  /** The cookies that browsers sent here, by host. */
  cookies: string[];
  close(): void;
}

/** Serves the query's `html` as a page, with the headers in the query's `headers`, which is JSON. */
export async function startEvilSite({ cert, key }: ReceiverCertificate): Promise<EvilSite> {
  const cookies: string[] = [];
  const server = createServer({ cert, key }, ({ url = '', headers }, response) => {
    cookies.push(headers.cookie ?? '');
    const query = new URL(url, 'https://evil.test').searchParams;
    response.setHeaders(new Map(Object.entries(JSON.parse(query.get('headers') ?? '{}'))));
    response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html>${query.get('html') ?? ''}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cookies,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
