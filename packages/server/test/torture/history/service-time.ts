import type { ClockSample } from './entry.ts';

/** What samples prove about the service clock (which stands still while the service is down). */
export class ServiceTime {
  readonly #samples: readonly ClockSample[];

  /** The samples must be in the order in which they were taken. */
  constructor(samples: readonly ClockSample[]) {
    this.#samples = samples;
  }

  /** A value that the clock had certainly reached at this moment. */
  atLeast(moment: number): number {
    return this.#samples[this.#firstAt((sample) => sample.to > moment) - 1]?.serviceMs ?? Number.NEGATIVE_INFINITY;
  }

  /** A value that the clock had certainly not passed at this moment. */
  atMost(moment: number): number {
    return this.#samples[this.#firstAt((sample) => sample.from >= moment)]?.serviceMs ?? Number.POSITIVE_INFINITY;
  }

  /** The earliest known moment by which the clock had certainly reached this value. */
  certainlyReached(serviceMs: number): number {
    return this.#samples[this.#firstAt((sample) => sample.serviceMs >= serviceMs)]?.to ?? Number.POSITIVE_INFINITY;
  }

  /** The position of the first sample for which this is true. It must stay true for all later ones. */
  #firstAt(isTrue: (sample: ClockSample) => boolean): number {
    let low = 0;
    let high = this.#samples.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const sample = this.#samples[middle];
      if (sample !== undefined && isTrue(sample)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
