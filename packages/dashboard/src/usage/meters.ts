import type { UsageSummary } from '@seathold/client';

/** A meter: its included and used quantity, and for seats the peak. */
export interface Meter {
  name: string;
  included: number;
  used: number;
  peak: number | undefined;
}

/** The meters of a summary: seats first, then those that every plan has, then those of the catalogue by name. */
export function readMeters({ seats, ai_tokens: tokens, storage_gb: storage, meters }: UsageSummary): Meter[] {
  return [
    { name: 'seats', ...seats },
    { name: 'ai_tokens', ...tokens, peak: undefined },
    { name: 'storage_gb', ...storage, peak: undefined },
    ...Object.entries(meters)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, meter]) => ({ name, ...meter, peak: undefined })),
  ];
}

/** The used share of the included quantity, in percent; undefined if nothing is included. */
export function percentOf({ included, used }: Pick<Meter, 'included' | 'used'>): number | undefined {
  return included === 0 ? undefined : (used / included) * 100;
}
