import type { Environment } from '../config/index.ts';
import { type TraceSettings, useTracing } from './tracing.ts';

/**
 * Turns traces on if the environment names a receiver, with the variables that all programs with OpenTelemetry share. Its library
 * is loaded only then. Returns what turns them off again, and sends what waits.
 */
export async function startTracing(
  environment: Environment,
  version: string,
  report: (message: string) => void,
): Promise<() => Promise<void>> {
  const settings = readTraceSettings(environment, version);
  if (settings === undefined) {
    return async () => undefined;
  }
  const { OpenTelemetry } = await import('./open-telemetry.ts');
  const traces = new OpenTelemetry(settings, report);
  useTracing(traces);
  return async () => {
    useTracing(undefined);
    await traces.close();
  };
}

/** Undefined when no receiver is named, or traces are turned off. */
function readTraceSettings(environment: Environment, version: string): TraceSettings | undefined {
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base.replace(/\/$/, '')}/v1/traces`);
  const isOff = environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || environment.OTEL_TRACES_EXPORTER === 'none';
  if (!url || isOff) {
    return undefined;
  }
  const { OTEL_TRACES_SAMPLER: sampler = '', OTEL_TRACES_SAMPLER_ARG: part = '' } = environment;
  const given = part === '' ? 1 : Number(part);
  const ratio = sampler.endsWith('always_off') ? 0 : sampler.endsWith('traceidratio') ? given : 1;
  return {
    url,
    version,
    serviceName: environment.OTEL_SERVICE_NAME || 'seathold',
    ratio: ratio >= 0 ? Math.min(1, ratio) : 1,
  };
}
