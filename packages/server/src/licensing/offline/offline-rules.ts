/** The offline terms of a license, while a batch of requests is decided. */
export interface OfflineTerms {
  maxOfflineSeconds: number;
  minOnlineSeats: number;
  offlineSeats: number;
}

/** The clocks of one instant, and the end of the license. All in milliseconds since 1970. */
export interface OfflineMoment {
  realMs: number;
  wallMs: number;
  licenseExpiresAtMs: number;
}

/** Whether one more seat of the license may be used offline for this long. */
export function mayGoOffline(offlineSeconds: number, maxSeats: number, terms: OfflineTerms): boolean {
  return (
    offlineSeconds <= terms.maxOfflineSeconds && terms.offlineSeats + 1 <= Math.max(0, maxSeats - terms.minOnlineSeats)
  );
}

/**
 * When an offline seat ends, on the organization's clock. This is when its license token expires, and tokens only have
 * whole seconds of real time.
 */
export function offlineUntilMs(offlineSeconds: number, { realMs, wallMs, licenseExpiresAtMs }: OfflineMoment): number {
  const aheadMs = wallMs - realMs;
  const untilSeconds = Math.min(
    Math.floor(realMs / 1000) + offlineSeconds,
    Math.floor((licenseExpiresAtMs - aheadMs) / 1000),
  );
  return untilSeconds * 1000 + aheadMs;
}
