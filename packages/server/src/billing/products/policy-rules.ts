import type { PolicyOverrides } from '../schemas.ts';

/** A field of a policy that contradicts another one. */
export interface PolicyFault {
  field: keyof PolicyOverrides;
  problem: string;
}

/** Contradictions in a policy, whether it was set or is the result of several. */
export function findPolicyFaults(policy: PolicyOverrides): PolicyFault[] {
  const { heartbeat_interval: interval, session_timeout: timeout, node_locked, activation } = policy;
  const faults: PolicyFault[] = [];
  if (interval !== undefined && timeout !== undefined && timeout <= interval) {
    faults.push({
      field: 'session_timeout',
      problem: `must be longer than heartbeat_interval (${interval} s), or sessions time out between heartbeats`,
    });
  }
  if (node_locked === true && activation === 'account') {
    faults.push({ field: 'node_locked', problem: 'must be false, because activation is account' });
  }
  return faults;
}

/** The heartbeat settings of licenses whose policies set none. */
export interface HeartbeatDefaults {
  heartbeatIntervalSeconds: number;
  seatTimeoutSeconds: number;
}

/**
 * The faults in the heartbeat settings that result from these policies, the nearest last. Defaults apply if none sets
 * them: a timeout alone can be too short, and an interval alone too long.
 */
export function findHeartbeatFaults(levels: readonly PolicyOverrides[], defaults: HeartbeatDefaults): PolicyFault[] {
  let interval = defaults.heartbeatIntervalSeconds;
  let timeout = defaults.seatTimeoutSeconds;
  for (const { heartbeat_interval, session_timeout } of levels) {
    interval = heartbeat_interval ?? interval;
    timeout = session_timeout ?? timeout;
  }
  return findPolicyFaults({ heartbeat_interval: interval, session_timeout: timeout });
}
