import type { EnvironmentName } from './processes/index.ts';

/** How many database connections a process opens to one environment, at most. */
export interface Connections {
  requests: number;
  deliveries: number;
}

/** Each busy connection is a PostgreSQL process, and they share its CPUs, so the sandbox never has most of them. */
const ALONE: Readonly<Record<EnvironmentName, Connections>> = {
  production: { requests: 16, deliveries: 6 },
  sandbox: { requests: 8, deliveries: 4 },
};

/** The total for the processes of one group, as long as each has enough for its batches. */
const TOGETHER: Readonly<Record<EnvironmentName, { requests: number; least: number }>> = {
  production: { requests: 48, least: 4 },
  sandbox: { requests: 24, least: 2 },
};

/** The connections of a process, which runs alone or is one of `requestProcesses`. */
export function connectionsOf(name: EnvironmentName, requestProcesses?: number): Connections {
  if (requestProcesses === undefined) {
    return ALONE[name];
  }
  const { requests, least } = TOGETHER[name];
  const share = Math.max(least, Math.floor(requests / requestProcesses));
  // Request processes do not deliver.
  return { requests: Math.min(ALONE[name].requests, share), deliveries: 1 };
}

/** How many connections the embedded PostgreSQL must allow, for the service and concurrent commands. */
export function connectionsOfAll(requestProcesses: number): number {
  const names = ['production', 'sandbox'] as const;
  const sum = (requests?: number) =>
    names.reduce((total, name) => {
      const each = connectionsOf(name, requests);
      return total + each.requests + each.deliveries;
    }, 0);
  const needed = sum() + (requestProcesses === 1 ? 0 : requestProcesses * sum(requestProcesses));
  return Math.max(100, needed + OTHERS);
}

/** For startup, and for concurrent commands. */
const OTHERS = 30;
