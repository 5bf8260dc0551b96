import type { TakeRequest } from './limiter.ts';
import { conclude, type Decision, type WindowState, windowState } from './windows.ts';

/**
 * A serialized decision: 1 or 0 for allowed, the time, and used and reset of each window. The rest follows from its
 * request, which the receiver has.
 */
export function writeDecision({ allowed, decidedAtMs, windows }: Decision): number[] {
  const numbers = [allowed ? 1 : 0, decidedAtMs];
  for (const window of windows) {
    numbers.push(window.used, window.resetAtMs);
  }
  return numbers;
}

/** Reads such numbers. Throws on anything else, which counts as a failure of the sender. */
export function readDecision(request: TakeRequest, sent: unknown): Decision {
  const numbers = numbersIn(sent);
  const states: WindowState[] = [];
  for (const { windows } of request.subjects) {
    for (const window of windows) {
      const at = 2 + states.length * 2;
      states.push(windowState(window, numberAt(numbers, at), numberAt(numbers, at + 1)));
    }
  }
  return conclude(request.subjects, states, numberAt(numbers, 1), numberAt(numbers, 0) === 1);
}

function numbersIn(sent: unknown): readonly unknown[] {
  if (!Array.isArray(sent)) {
    throw new Error('a rate-limit decision is not a list');
  }
  return sent;
}

function numberAt(numbers: readonly unknown[], position: number): number {
  const value = numbers[position];
  if (typeof value !== 'number') {
    throw new Error(`a rate-limit decision has no number at ${position}`);
  }
  return value;
}
