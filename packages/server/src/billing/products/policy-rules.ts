import type { PolicyOverrides } from '../schemas.ts';

/** A field of a policy that contradicts another one. */
export interface PolicyFault {
  field: keyof PolicyOverrides;
  problem: string;
}

/** What contradicts itself in a policy, whether it was set or results from several. */
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
