import type { Step } from './steps.ts';

/** A vector: what happens, and what the keeper does. */
export interface Script {
  readonly name: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly stored?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}
