import type { Environment } from '../config/index.ts';
import { type TraceSettings, useTracing } from './tracing.ts';

/**
 * Turns tracing on if the environment names a receiver, with the standard variables of OpenTelemetry. The library is
 * only loaded then. Returns a function that turns it off and sends waiting spans.
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

/** Undefined if no receiver is named, or tracing is off. */
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
