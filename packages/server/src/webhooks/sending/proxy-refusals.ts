/** The egress proxy refused a connection: the status, and which proxy, without its credentials. */
export interface ProxyRefusal {
  statusCode: number;
  /** Host and port. */
  proxy: string;
}

export type OnProxyRefusal = (refusal: ProxyRefusal) => void;

/** Logs the first refusal, and then at most one per minute, because with a wrong password every attempt is refused. */
export function throttleReports(tell: OnProxyRefusal, nowMs: () => number = () => performance.now()): OnProxyRefusal {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return (refusal) => {
    if (nowMs() - toldAtMs >= TOLD_EVERY_MS) {
      toldAtMs = nowMs();
      tell(refusal);
    }
  };
}

const TOLD_EVERY_MS = 60_000;
