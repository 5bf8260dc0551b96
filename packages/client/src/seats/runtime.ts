import type { Moment } from './keeper-types.ts';
import type { CheckSignature } from './verify-license-token.ts';

/** What a keeper needs of the machine that it runs on. Tests have their own. */
export interface Runtime {
  now(): Moment;
  /** Runs once after the time. A timer in the background does not keep the program alive. Returns what stops it. */
  setTimer(milliseconds: number, run: () => void, isBackground: boolean): () => void;
  checkSignature: CheckSignature;
  /** Calls when the machine has slept, its clock has jumped or it has a network again. Returns what ends that. */
  onWake(wake: () => void): () => void;
  /** Calls when the program ends, and waits for the promise where that is possible. Returns what ends that. */
  onExit(exit: () => Promise<void>): () => void;
}
