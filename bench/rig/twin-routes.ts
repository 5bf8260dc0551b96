import { LineProgram } from './line-program.ts';
import type { Target } from './load-plan.ts';
import type { Service } from './service.ts';

/** What the program is started with: a database with accounts in it, and a certificate to show. */
export interface TwinSettings {
  databaseUrl: string;
  dataDir: string;
  cert: string;
  key: string;
}

/** Starts the two routes in a process of their own, on the contenders' core, beside a service that lends its database. */
export async function startTwinRoutes(service: Service): Promise<{ target: Target; stop(): Promise<void> }> {
  const { databaseUrl, dataDir, tls } = service;
  const twin: TwinSettings = { databaseUrl, dataDir, ...tls };
  const program = new LineProgram('contender', new URL('../programs/twin-routes.ts', import.meta.url), [
    JSON.stringify(twin),
  ]);
  const { port }: { port: number } = JSON.parse(await program.read());
  return { target: { ...service.target, port, pid: program.pid }, stop: () => program.stop() };
}
