import type { Seathold } from '@seathold/client';
import { useSyncExternalStore } from 'react';

/** An API call as written in a program: `seathold.licenses.release({…})`. */
export interface RecordedCall {
  id: number;
  resource: string;
  method: string;
  values: readonly unknown[];
  /** The path of the screen that made it. */
  screen: string;
}

/** Bounds the memory: older calls are forgotten. */
const KEPT = 40;
const READS = /^(get|list|preview)/;
/** Their calls contain passwords, codes and links, which must not even be kept in memory. */
const SECRETIVE: ReadonlySet<string> = new Set(['auth', 'me', 'invitations']);
const HARMLESS: ReadonlySet<string> = new Set(['listOauthGrants', 'deleteOauthGrant', 'listSessions', 'deleteSession']);
/** Options that only affect how a call is made are not recorded. */
const OPTIONS: ReadonlySet<string> = new Set(['signal', 'idempotencyKey', 'timeoutMs', 'maxRetries', 'organizationId']);

let calls: readonly RecordedCall[] = [];
let isAsked = false;
let nextId = 1;
const listeners = new Set<() => void>();

/** The same client with recorded calls, so that the person can see them as code. */
export function recordCalls(client: Seathold): Seathold {
  return new Proxy(client, {
    get: (target, resource) => {
      const methods: unknown = Reflect.get(target, resource);
      return typeof methods === 'object' && methods !== null ? recordMethods(String(resource), methods) : methods;
    },
  });
}

function recordMethods(resource: string, methods: object): object {
  return new Proxy(methods, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') {
        return method;
      }
      return (...values: unknown[]): unknown => {
        record(resource, String(name), values);
        return Reflect.apply(method, undefined, values);
      };
    },
  });
}

function record(resource: string, method: string, values: readonly unknown[]): void {
  if (SECRETIVE.has(resource) && !HARMLESS.has(method)) {
    return;
  }
  const call: RecordedCall = {
    id: nextId,
    resource,
    method,
    values: isOptions(values.at(-1)) ? values.slice(0, -1) : values,
    screen: window.location.pathname,
  };
  nextId += 1;
  // A polling screen shows each call once.
  const others = isRead(call) ? calls.filter((other) => !isSame(other, call)) : calls;
  calls = [...others, call].slice(-KEPT);
  for (const listener of listeners) {
    listener();
  }
}

/** Whether a call only reads. */
export function isRead({ method }: RecordedCall): boolean {
  return READS.test(method);
}

/** The id of the last call that changed something; 0 before the first. */
export function lastWriteId(): number {
  return calls.findLast((call) => !isRead(call))?.id ?? 0;
}

/** Shows or hides the code of the last action. */
export function askForCode(to: boolean): void {
  isAsked = to;
  for (const listener of listeners) {
    listener();
  }
}

export function useIsCodeAsked(): boolean {
  return useSyncExternalStore(subscribe, () => isAsked);
}

/** The calls of this page, oldest first. */
export function useRecordedCalls(): readonly RecordedCall[] {
  return useSyncExternalStore(subscribe, () => calls);
}

function isOptions(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((name) => OPTIONS.has(name))
  );
}

function isSame(one: RecordedCall, other: RecordedCall): boolean {
  return (
    one.resource === other.resource &&
    one.method === other.method &&
    one.screen === other.screen &&
    JSON.stringify(one.values) === JSON.stringify(other.values)
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
