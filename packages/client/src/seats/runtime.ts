import type { Moment } from './keeper-types.ts';
import type { CheckSignature } from './verify-license-token.ts';

/** The keeper's interface to the machine. Tests have their own. */
export interface Runtime {
  now(): Moment;
  /**
   * Runs once after the time. A timer in the background does not keep the program alive. Returns a function that stops
   * it.
   */
  setTimer(milliseconds: number, run: () => void, isBackground: boolean): () => void;
  checkSignature: CheckSignature;
  /**
   * Calls when the machine has slept, its clock has jumped or it is online again. Returns a function that ends that.
   */
  onWake(wake: () => void): () => void;
  /** Calls when the program ends, and waits for the promise if possible. Returns a function that ends that. */
  onExit(exit: () => Promise<void>): () => void;
}
