import { readProcessMetrics } from './app.ts';
import type { Config } from './config/index.ts';
import type { Opening, RunningEnvironment } from './environment.ts';
import { createProbeHandler, type Listener, listen, mergeMetrics } from './http/index.ts';

/**
 * A worker answers only health checks and metrics: over HTTPS, and over plain HTTP for probes without TLS. The first of
 * several workers on one machine gets the port, unless each has its own; the others still work.
 */
export async function listenForProbes(
  config: Config,
  tls: { cert: string; key: string },
  environments: readonly RunningEnvironment[],
  { requestLog, log }: Pick<Opening, 'requestLog' | 'log'>,
): Promise<Listener[]> {
  const handler = createProbeHandler({
    whyNotReady: async () => {
      const reasons = await Promise.all(environments.map(({ app }) => app.whyNotReady()));
      return reasons.find((each) => each !== undefined);
    },
    metrics: async () => {
      const each = await Promise.all(environments.map(({ app }) => app.metrics.read()));
      return mergeMetrics(each) + (await readProcessMetrics());
    },
    metricsToken: config.metricsToken,
    host: config.metricsHost,
    requestLog,
  });
  const { metricsHost: host, metricsPort: port } = config;
  try {
    return [await listen({ host, port, ...tls, ...handler, trustPlain: () => true })];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      log.warn({ port }, 'the port of SEATHOLD_METRICS_PORT is in use: this worker serves no health checks or metrics');
      return [];
    }
    throw error;
  }
}
