import { generateSync } from 'otplib';
import type { Clock } from '../../src/clock/index.ts';
import type { Member, TestApp } from './index.ts';

const STEP_MS = 30_000;

/** A clock that starts now and is moved by the test, so each code has its own step without waiting. */
export class MovedClock implements Clock {
  #aheadMs = 0;

  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Moves to the start of a later time step, so that the step lasts long enough for the test's next actions. */
  nextStep(steps = 1): void {
    const startMs = (Math.floor(this.nowMs() / STEP_MS) + steps) * STEP_MS;
    this.#aheadMs = startMs - Date.now();
  }
}

/** A person with two-factor enabled. */
export interface TwoFactorMember extends Member {
  secret: string;
  recoveryCodes: string[];
}

/** The code that an authenticator app shows. */
export function codeAt(clock: Clock, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(clock.nowMs() / 1000) + steps * 30 });
}

/** A code that is wrong at all of the current and neighboring steps. */
export function wrongCode(clock: Clock, secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeAt(clock, secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '666666';
}

/** Registers a user and enables two-factor. The clock advances by a step, so that the next code is not a used one. */
export async function registerWithTwoFactor(test: TestApp, clock: MovedClock): Promise<TwoFactorMember> {
  const member = await test.register();
  const setup = await test.api.post('/v1/auth/2fa/setup', member.accessToken, undefined);
  const { secret } = setup.body.data;
  const enabled = await test.api.post('/v1/auth/2fa/enable', member.accessToken, { code: codeAt(clock, secret) });
  clock.nextStep(2);
  return { ...member, secret, recoveryCodes: enabled.body.data.recovery_codes };
}
